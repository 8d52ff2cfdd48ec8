#include "backend/read_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace nlsh {

ssize_t read_some(int descriptor, std::string& text) {
    constexpr size_t most = size_t{64} * 1024;
    const size_t size = text.size();
    text.resize(size + most);
    ssize_t got = -1;
    while ((got = read(descriptor, text.data() + size, most)) < 0 && errno == EINTR) {
    }
    text.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return got;
}

std::expected<std::string, int> read_rest(const Descriptor& file) {
    std::string text;
    for (;;) {
        const ssize_t got = read_some(file.get(), text);
        if (got < 0) return std::unexpected(errno);
        if (got == 0) return text;
    }
}

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
