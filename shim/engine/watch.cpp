#include "shim/engine/watch.h"

#include <sys/inotify.h>
#include <unistd.h>

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
    if (inotify_add_watch(descriptor_, directory.c_str(), events) < 0) blind_ = true;
}

bool Watch::changed() {
    bool seen = blind_;
    alignas(inotify_event) char events[4096];
    while (read(descriptor_, events, sizeof events) > 0)
        seen = true;
    return seen;
}

}  // namespace nlsh
