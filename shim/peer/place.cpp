#include "shim/peer/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "backend/read_file.h"
#include "shim/process/pidfd_calls.h"
#include "shim/wire/root.h"

namespace nlsh {
namespace {

constexpr size_t largest = 1 << 12;  // the longest label

struct Namespace {
    unsigned long pidfd_call;
    const char* path;
};
// In the order of Place's identity.
constexpr std::array<Namespace, 2> namespaces{
    {{pidfd_mount_namespace, "/ns/mnt"}, {pidfd_user_namespace, "/ns/user"}}};

std::string label_of(const std::string& proc) {
    return proc + "/attr/current";
}

// Without a security module, which can't be loaded later, the file exists but can't be read.
bool gives_labels() {
    const Descriptor file(open(label_of("/proc/self").c_str(), O_RDONLY | O_CLOEXEC));
    char byte;
    return file ? read(file.get(), &byte, 1) >= 0 || errno != EINVAL : errno != ENOENT;
}

}  // namespace

bool Place::has_root_mount_of(const Place& other) const {
    return identity[root_mount] != 0 && identity[root_mount] == other.identity[root_mount];
}

Places::Places(bool by_proc)
    : by_proc_(by_proc),
      labelled_(gives_labels()),
      held_(hold_own_namespaces()),
      own_(look("/proc/self", Descriptor(), nullptr)) {}

Places::Held Places::hold_own_namespaces() {
    Held held;
    for (size_t i = 0; i < held.size(); ++i)
        held[i] = Descriptor(
            open(fmt::format("/proc/self{}", namespaces[i].path).c_str(), O_RDONLY | O_CLOEXEC));
    return held;
}

// A namespace's number is its file's in nsfs, however it is opened.
uint64_t Places::namespace_by_pidfd(const Descriptor& process, size_t which) {
    struct stat status;
    const Descriptor file(ioctl(process.get(), namespaces[which].pidfd_call, 0));
    return file && fstat(file.get(), &status) == 0 ? status.st_ino : 0;
}

bool Places::is_own_user_namespace(const Descriptor& process) const {
    return namespace_by_pidfd(process, Place::user) == own_.identity[Place::user];
}

bool Places::is_own_user_namespace(const Descriptor& process, pid_t pid) const {
    const uint64_t own = own_.identity[Place::user];
    return own != 0 && namespace_of(fmt::format("/proc/{}", pid), process, Place::user) == own;
}

bool Places::has_own_label(pid_t pid) const {
    return !labelled_ || read_file(label_of(fmt::format("/proc/{}", pid)), largest) == own_.label;
}

uint64_t Places::namespace_of(const std::string& proc, const Descriptor& process,
                              size_t which) const {
    if (const uint64_t told = by_proc_ || !process ? 0 : namespace_by_pidfd(process, which))
        return told;
    struct stat status;
    return stat((proc + namespaces[which].path).c_str(), &status) == 0 ? status.st_ino : 0;
}

// A mount belongs to one mount namespace, so a process with our root sees our files, whatever
// its namespace is called.
Place Places::look(const std::string& proc, const Descriptor& process, const Place* own) const {
    const struct root root = root_of((proc + "/root/").c_str());
    if (root.inode == 0) return {};
    Place place;
    place.identity = {0, 0, root.device, root.inode, root.mount, root.number};
    place.identity[Place::user] = namespace_of(proc, process, Place::user);
    place.identity[Place::mounts] = own && place.has_root_mount_of(*own)
                                        ? own->identity[Place::mounts]
                                        : namespace_of(proc, process, Place::mounts);
    if (place.identity[Place::user] == 0 || place.identity[Place::mounts] == 0) return {};
    if (labelled_) place.label = read_file(label_of(proc), largest);
    return place;
}

Place Places::of(const std::string& proc, const Descriptor& process) const {
    return look(proc, process, &own_);
}

}  // namespace nlsh
