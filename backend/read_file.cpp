#include "backend/read_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace nlsh {

std::string read_all(const Descriptor& file, size_t largest) {
    std::string text;
    std::array<char, 8192> part;
    for (;;) {
        const ssize_t got = read(file.get(), part.data(), part.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 || text.size() > largest) return {};
        if (got == 0) return text;
        text.append(part.data(), static_cast<size_t>(got));
    }
}

std::string read_file(const std::string& path, size_t largest) {
    return read_all(open_file(path.c_str()), largest);
}

std::vector<std::string> split_at_nul(std::string_view texts) {
    std::vector<std::string> parts;
    while (!texts.empty()) {
        const size_t end = std::min(texts.find('\0'), texts.size());
        parts.emplace_back(texts.substr(0, end));
        texts.remove_prefix(std::min(end + 1, texts.size()));
    }
    return parts;
}

}  // namespace nlsh
