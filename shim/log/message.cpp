#include "shim/log/message.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace nlsh {
namespace {

// 0, or an errno.
int write_all(int descriptor, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) text.remove_prefix(static_cast<size_t>(written));
    }
    return 0;
}

}  // namespace

void say_formatted(fmt::string_view format, fmt::format_args values) noexcept {
    try {
        fmt::memory_buffer text;
        fmt::vformat_to(std::back_inserter(text), format, values);
        write_all(STDERR_FILENO, {text.data(), text.size()});
    } catch (...) {
        write_all(STDERR_FILENO, "nlsh: no memory for a message\n");
    }
}

int print(std::string_view text) noexcept {
    const int error = write_all(STDOUT_FILENO, text);
    return error == 0 ? 0 : fail(1, "nlsh: cannot write the output: {}\n", strerror(error));
}

void reserve_standard_descriptors() noexcept {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
        if (fcntl(number, F_GETFD) >= 0) continue;
        // open() returns this number, because all lower ones are in use.
        open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    }
}

}  // namespace nlsh
