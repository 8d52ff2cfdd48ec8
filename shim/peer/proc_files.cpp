#include "shim/peer/proc_files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "backend/read_file.h"
#include "shim/files/descriptor_output.h"

namespace nlsh {
namespace {

constexpr std::string_view root = "/proc/sys/";

constexpr uint64_t no_link = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;

std::expected<Descriptor, int> opened(long descriptor) {
    if (descriptor < 0) return std::unexpected(errno);
    return Descriptor(static_cast<int>(descriptor));
}

std::expected<Descriptor, int> beneath(const Descriptor& directory, const std::string& path,
                                       int flags, uint64_t resolve) {
    open_how how{};
    // A shell's `>` asks to create the file: /proc answers EACCES or ENOENT to both.
    how.flags = static_cast<uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
    how.mode = (flags & O_CREAT) != 0 ? 0666 : 0;
    how.resolve = resolve;
    return opened(syscall(SYS_openat2, directory.get(), path.c_str(), &how, sizeof how));
}

bool leads_up(const std::string& path) {
    return ("/" + path + "/").contains("/../");
}

// systemd's RestrictSUIDSGID= forbids openat2. /proc/sys has no links, so openat will do if the
// path doesn't lead up.
std::expected<Descriptor, int> beneath_somehow(const Descriptor& directory, const std::string& path,
                                               int flags) {
    auto file = beneath(directory, path, flags, no_link);
    if (file || file.error() != ENOSYS || leads_up(path)) return file;
    return opened(openat(directory.get(), path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666));
}

// In LXC and systemd-nspawn /proc/sys/net is a separate mount of proc.
std::expected<Descriptor, int> across_mounts(const Descriptor& directory, const std::string& path,
                                             int flags) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos || leads_up(path)) return std::unexpected(EXDEV);
    const auto parent = beneath_somehow(directory, path.substr(0, slash), O_PATH | O_DIRECTORY);
    if (!parent) return std::unexpected(parent.error());
    struct statfs system;
    if (fstatfs(parent->get(), &system) != 0) return std::unexpected(errno);
    if (system.f_type != PROC_SUPER_MAGIC) return std::unexpected(EXDEV);
    return beneath_somehow(*parent, path.substr(slash + 1), flags);
}

}  // namespace

// Enter no mount of another file system beneath /proc/sys, such as binfmt_misc.
std::expected<Descriptor, int> ProcFiles::open_beneath(const std::string& path, int flags) const {
    if (path == "/dev/null") return Descriptor(::open("/dev/null", flags | O_CLOEXEC));
    if (!path.starts_with(root)) return std::unexpected(EACCES);
    if (!enter_()) return std::unexpected(ENOMEM);
    const auto directory = opened(::open("/proc/sys", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!directory) return std::unexpected(directory.error());
    const std::string rest = path.substr(root.size());
    auto file = beneath(*directory, rest, flags, no_link | RESOLVE_NO_XDEV);
    if (file || (file.error() != EXDEV && file.error() != ENOSYS)) return file;
    return across_mounts(*directory, rest, flags);
}

std::expected<std::unique_ptr<Output>, int> ProcFiles::open(const std::string& path, bool append) {
    auto file = open_beneath(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC));
    if (!file) return std::unexpected(file.error());
    return std::make_unique<FileOutput>(std::move(*file));
}

std::expected<std::string, int> ProcFiles::read(const std::string& path) {
    const auto file = open_beneath(path, O_RDONLY);
    return file ? read_rest(*file) : std::unexpected(file.error());
}

std::expected<unsigned, int> ProcFiles::mode(const std::string& path) {
    const auto file = open_beneath(path, O_PATH);
    if (!file) return std::unexpected(file.error());
    struct stat status;
    if (fstat(file->get(), &status) != 0) return std::unexpected(errno);
    return status.st_mode;
}

}  // namespace nlsh
