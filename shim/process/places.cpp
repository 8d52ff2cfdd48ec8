#include "shim/process/places.h"

#include <sys/auxv.h>

#include <filesystem>
#include <system_error>

namespace nlsh {
namespace {

namespace fs = std::filesystem;

// Below the prefix (packaging/install.cmake).
constexpr const char* directories[] = {"bin", "libexec/nlsh", NLSH_LIBRARIES, "lib/nlsh"};

// The prefix of an installed executable's directory; empty: a build's directory.
fs::path prefix_of(const fs::path& directory) {
    if (directory.filename() == "bin") return directory.parent_path();
    const bool own =
        directory.filename() == "nlsh" && directory.parent_path().filename() == "libexec";
    return own ? directory.parent_path().parent_path() : fs::path();
}

// This program's path if /proc isn't mounted. nlsh never changes its directory, so a relative path
// still works.
fs::path called_as() {
    const auto* const name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    if (name == nullptr || getauxval(AT_SECURE) != 0) return {};
    std::error_code failed;
    fs::path path = fs::absolute(name, failed);
    return failed ? fs::path() : path;
}

}  // namespace

std::string own_program() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return failed ? called_as() : self;
}

std::string place_of(const std::string& name) {
    std::error_code failed;
    const fs::path self = fs::path(own_program()).parent_path();
    if (self.empty()) return {};
    if (fs::exists(self / name, failed)) return (self / name).string();
    const fs::path prefix = prefix_of(self);
    if (prefix.empty()) return {};
    for (const char* directory : directories) {
        const fs::path place = prefix / directory / name;
        if (fs::exists(place, failed)) return fs::canonical(place, failed).string();
    }
    return {};
}

}  // namespace nlsh
