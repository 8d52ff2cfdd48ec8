#include "shim/engine/watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>

namespace nlsh {

Watch::Watch() : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    blind_ = descriptor_ < 0;
}

Watch::~Watch() {
    if (descriptor_ >= 0) close(descriptor_);
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
    bool seen = blind_;
    alignas(inotify_event) char events[4096];
    while (read(descriptor_, events, sizeof events) > 0)
        seen = true;
    return seen;
}

}  // namespace nlsh
