#include "shim/engine/reference.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace nlsh {
namespace {

bool same_file_as_us(const struct stat& status) {
    struct stat self;
    return stat("/proc/self/exe", &self) == 0 && self.st_dev == status.st_dev &&
           self.st_ino == status.st_ino;
}

bool usable(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           access(path.c_str(), X_OK) == 0 && !same_file_as_us(status);
}

}  // namespace

std::string reference_path(Tool tool) {
    const bool ip = tool == Tool::ip;
    if (const char* given = getenv(ip ? "NLSH_REAL_IP" : "NLSH_REAL_BRIDGE");
        given != nullptr && usable(given)) {
        return given;
    }
    for (const char* directory : {"/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"}) {
        std::string path = std::string(directory) + (ip ? "ip" : "bridge");
        if (usable(path)) return path;
    }
    return {};
}

bool reference_supported(const std::string& path) {
    static constexpr char version[] =
        "\0006.1.0";  // a string constant of its own: NUL on both sides
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    struct stat status;
    bool found = false;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        const auto size = static_cast<size_t>(status.st_size);
        void* file = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
        if (file != MAP_FAILED) {
            found = memmem(file, size, version, sizeof version) != nullptr;
            munmap(file, size);
        }
    }
    close(descriptor);
    return found;
}

}  // namespace nlsh
