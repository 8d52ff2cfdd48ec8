#include "shim/engine/watch.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace nlsh {
namespace {

constexpr int high = 100;  // programs expect the lowest numbers
constexpr int mark = 63;   // F_SETSIG, never sent without O_ASYNC: tells our file from another's

int move_high(int descriptor) {
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, high);
    if (moved < 0) return descriptor;
    close(descriptor);
    return moved;
}

}  // namespace

Watch::Watch(bool foreign)
    : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), foreign_(foreign) {
    if (foreign_ && descriptor_ >= 0) {
        descriptor_ = move_high(descriptor_);
        fcntl(descriptor_, F_SETSIG, mark);
    }
    blind_ = descriptor_ < 0;
}

Watch::~Watch() {
    if (descriptor_ >= 0 && mine()) close(descriptor_);
}

bool Watch::mine() const {
    return !foreign_ || fcntl(descriptor_, F_GETSIG) == mark;
}

void Watch::add(const std::string& directory) {
    constexpr uint32_t events = IN_CREATE | IN_DELETE | IN_MOVE | IN_MODIFY | IN_CLOSE_WRITE |
                                IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    // In place of one that doesn't exist its nearest ancestor is watched, in which it would appear.
    std::string path = directory;
    while (inotify_add_watch(descriptor_, path.c_str(), events) < 0) {
        const size_t slash = path.rfind('/');
        if ((errno != ENOENT && errno != ENOTDIR) || slash == path.npos || path.size() == 1) {
            blind_ = true;
            return;
        }
        path.resize(slash == 0 ? 1 : slash);
    }
}

bool Watch::changed() {
    if (!blind_ && !mine()) blind_ = true;
    if (blind_) return true;
    bool seen = false;
    alignas(inotify_event) char events[4096];
    while (read(descriptor_, events, sizeof events) > 0)
        seen = true;
    return seen;
}

}  // namespace nlsh
