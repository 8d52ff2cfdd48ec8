#include "backend/shell/streams.h"

namespace nlsh {

void Hold::release() {
    auto held = std::exchange(held_, {});
    for (auto& [target, text] : held)
        target->write(text);
}

bool Hold::write(Output& target, std::string_view bytes) {
    size_ += bytes.size();
    if (size_ > limit && !context_.handover) {
        if (!context_.bounded) context_.commit();
        if (context_.bounded) context_.hand_over("more output than may be held");
    }
    if (context_.committed) {
        if (!held_.empty()) release();
        return target.write(bytes);
    }
    if (held_.empty() || held_.back().first != &target) held_.emplace_back(&target, std::string());
    held_.back().second.append(bytes);
    return true;
}

bool FirstLine::write(std::string_view bytes) {
    if (!complete_) {
        size_t end = bytes.find('\n');
        line.append(bytes.substr(0, end));
        complete_ = end != std::string_view::npos || line.size() > longest;
        if (line.size() > longest) line.resize(longest);
    }
    return target_.write(bytes);
}

}  // namespace nlsh
