#include "shim/server/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "backend/read_file.h"
#include "shim/server/pidfd_calls.h"
#include "shim/wire/root.h"

namespace nlsh {
namespace {

constexpr size_t largest = 1 << 12;  // of a label

struct Namespace {
    unsigned long pidfd_call;
    const char* path;
};
// In the order of Place's identity.
constexpr std::array<Namespace, 4> namespaces{{{pidfd_mount_namespace, "/ns/mnt"},
                                               {pidfd_user_namespace, "/ns/user"},
                                               {pidfd_uts_namespace, "/ns/uts"},
                                               {pidfd_ipc_namespace, "/ns/ipc"}}};

std::string label_of(const std::string& proc) {
    return proc + "/attr/current";
}

// Without such a module, which can't come later, the file is there and can't be read.
bool gives_labels() {
    const Descriptor file(open(label_of("/proc/self").c_str(), O_RDONLY | O_CLOEXEC));
    char byte;
    return file ? read(file.get(), &byte, 1) >= 0 || errno != EINVAL : errno != ENOENT;
}

}  // namespace

Places::Places(bool by_proc)
    : by_proc_(by_proc),
      labelled_(gives_labels()),
      held_(hold_own_namespaces()),
      own_(of("/proc/self", Descriptor())) {}

Places::Held Places::hold_own_namespaces() {
    Held held;
    for (size_t i = 0; i < held.size(); ++i)
        held[i] = Descriptor(
            open(fmt::format("/proc/self{}", namespaces[i].path).c_str(), O_RDONLY | O_CLOEXEC));
    return held;
}

// A namespace's number is its file's in nsfs, whichever way it is opened.
uint64_t Places::namespace_by_pidfd(const Descriptor& process, size_t which) {
    struct stat status;
    const Descriptor file(ioctl(process.get(), namespaces[which].pidfd_call, 0));
    return file && fstat(file.get(), &status) == 0 ? status.st_ino : 0;
}

bool Places::namespaces_by_pidfd(const Descriptor& process, Place& place) {
    for (size_t i = 0; i < namespaces.size(); ++i) {
        place.identity[i] = namespace_by_pidfd(process, i);
        if (place.identity[i] == 0) return false;
    }
    return true;
}

bool Places::is_own_user_namespace(const Descriptor& process) const {
    return namespace_by_pidfd(process, Place::user) == own_.identity[Place::user];
}

bool Places::namespaces_by_proc(const std::string& proc, Place& place) {
    struct stat status;
    for (size_t i = 0; i < namespaces.size(); ++i) {
        if (stat((proc + namespaces[i].path).c_str(), &status) != 0) return false;
        place.identity[i] = status.st_ino;
    }
    return true;
}

Place Places::of(const std::string& proc, const Descriptor& process) const {
    Place place;
    const bool by_pidfd = !by_proc_ && process && namespaces_by_pidfd(process, place);
    if (!by_pidfd && !namespaces_by_proc(proc, place)) return {};
    const struct root root = root_of((proc + "/root/").c_str());
    if (root.inode == 0) return {};
    place.identity[Place::root_device] = root.device;
    place.identity[Place::root_inode] = root.inode;
    place.identity[Place::root_number] = root.number;
    if (labelled_) place.label = read_file(label_of(proc), largest);
    return place;
}

}  // namespace nlsh
