#include "shim/files/process_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "backend/descriptor.h"
#include "backend/read_file.h"
#include "shim/files/descriptor_output.h"
#include "shim/files/kernel_settings.h"

namespace nlsh {
std::expected<std::unique_ptr<Output>, int> ProcessFiles::open(const std::string& path,
                                                               bool append) {
    if (path != "/dev/null" && !names_kernel_setting(path)) ++written_;
    Descriptor file =
        open_file(path.c_str(), O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), 0666);
    if (!file) return std::unexpected(errno);
    return std::make_unique<FileOutput>(std::move(file));
}

std::expected<std::string, int> ProcessFiles::read(const std::string& path) {
    const Descriptor file = open_file(path.c_str());
    return file ? read_rest(file) : std::unexpected(errno);
}

std::expected<unsigned, int> ProcessFiles::mode(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return std::unexpected(errno);
    return status.st_mode;
}

}  // namespace nlsh
