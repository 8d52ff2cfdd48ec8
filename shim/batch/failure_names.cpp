#include "shim/batch/failure_names.h"

namespace nlsh {

void FailureNames::write(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        if (!in_line_ && byte == pattern[matched_]) {
            if (++matched_ < pattern.size()) continue;
            text += "Command failed " + file_ + ":";
            matched_ = 0;
            in_line_ = true;
            continue;
        }
        text += pattern.substr(0, matched_);
        text += byte;
        matched_ = 0;
        in_line_ = byte != '\n';
    }
    out_.write(text);
}

void FailureNames::end() {
    out_.write(pattern.substr(0, matched_));
    matched_ = 0;
}

}  // namespace nlsh
