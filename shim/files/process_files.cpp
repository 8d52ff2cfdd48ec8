#include "shim/files/process_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "shim/files/file_output.h"
#include "shim/files/kernel_settings.h"

namespace nlsh {
std::expected<std::unique_ptr<Output>, int> ProcessFiles::open(const std::string& path,
                                                               bool append) {
    if (path != "/dev/null" && !names_kernel_setting(path)) ++written_;
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC);
    const int descriptor = ::open(path.c_str(), flags, 0666);
    if (descriptor < 0) return std::unexpected(errno);
    return std::make_unique<FileOutput>(Descriptor(descriptor));
}

std::expected<std::string, int> ProcessFiles::read(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::unexpected(errno);
    std::string text;
    char block[4096];
    ssize_t got;
    while ((got = ::read(descriptor, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        if (got > 0) text.append(block, static_cast<size_t>(got));
    }
    const int error = errno;
    close(descriptor);
    if (got < 0) return std::unexpected(error);
    return text;
}

std::expected<unsigned, int> ProcessFiles::mode(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return std::unexpected(errno);
    return status.st_mode;
}

}  // namespace nlsh
