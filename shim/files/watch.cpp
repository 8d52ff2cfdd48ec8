#include "shim/files/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>

#include "shim/files/path_steps.h"
#include "shim/netns/kept_socket.h"

namespace nlsh {
namespace {

constexpr int mark = 63;  // by F_SETSIG: marks our descriptor; without O_ASYNC no signal is sent

// Above this, blind(): a new watch forgets the paths of odd callers.
constexpr size_t watched_max = 1024;

constexpr unsigned gone = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr unsigned replaced = IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | gone;
constexpr unsigned written = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | gone;

// -1: there is no room.
int keep_apart(int descriptor) {
    if (descriptor < 0) return -1;
    const int moved = kept_copy(descriptor);
    close(descriptor);
    if (moved >= 0) fcntl(moved, F_SETSIG, mark);
    return moved;
}

}  // namespace

Watch::Watch(By by) : by_(by) {
    if (by_ == By::stamps) return;
    entries_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    mounts_ = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (by_ == By::guarded_notices) {
        entries_ = keep_apart(entries_);
        mounts_ = keep_apart(mounts_);
    }
    blind_ = entries_ < 0;  // without /proc, changes of mounts go unnoticed
}

Watch::~Watch() {
    for (const int descriptor : {entries_, mounts_})
        if (descriptor >= 0 && (by_ != By::guarded_notices || fcntl(descriptor, F_GETSIG) == mark))
            close(descriptor);
}

bool Watch::mine() const {
    return by_ != By::guarded_notices ||
           (fcntl(entries_, F_GETSIG) == mark && (mounts_ < 0 || fcntl(mounts_, F_GETSIG) == mark));
}

// The watch's number; -1: the path doesn't exist, or can't be watched.
int Watch::watch(const std::string& path, unsigned events) {
    if (by_ == By::stamps) return -1;
    const int number = inotify_add_watch(entries_, path.c_str(), events | IN_MASK_ADD);
    if (number < 0 && errno != ENOENT && errno != ENOTDIR) blind_ = true;
    return number;
}

void Watch::add_way(const std::string& path) {
    if (by_ == By::stamps) return;
    if (watched_.size() > watched_max) blind_ = true;
    for (const PathStep& step : path_steps(path)) {
        const int number = watch(step.directory, replaced | IN_ONLYDIR);
        if (number >= 0) watched_[number].names.insert(step.name);
    }
}

void Watch::add(const std::string& directory) {
    if (blind_ || !stamps_.add(directory)) return;
    add_way(directory);
    const int number = watch(directory, replaced | written | IN_ONLYDIR);
    if (number >= 0) watched_[number].all = true;
}

void Watch::add_file(const std::string& path) {
    if (blind_ || !stamps_.add(path)) return;
    add_way(path);
    const int number = watch(path, written);
    if (number >= 0) watched_[number];
}

void Watch::add_entry(const std::string& path) {
    if (!blind_) add_way(path);
}

// Whether an event counts. name: "" if the event is of the watched file or directory itself.
bool Watch::counts(int number, const char* name) const {
    const auto entries = watched_.find(number);
    return entries == watched_.end() || entries->second.all || *name == 0 ||
           entries->second.names.contains(name);
}

bool Watch::entries_changed() {
    bool seen = false;
    alignas(inotify_event) char events[4096];
    ssize_t size = 0;
    while ((size = read(entries_, events, sizeof events)) > 0) {
        for (ssize_t at = 0; at < size && !seen;) {
            const auto* event = reinterpret_cast<const inotify_event*>(events + at);
            seen = counts(event->wd, event->len > 0 ? event->name : "");
            at += static_cast<ssize_t>(sizeof *event + event->len);
        }
    }
    return seen;
}

bool Watch::changed() {
    if (!blind_ && !mine()) blind_ = true;
    if (blind_) return true;
    if (by_ == By::stamps) return false;
    pollfd wait[] = {{mounts_, POLLPRI, 0}, {entries_, POLLIN, 0}};  // a negative one is ignored
    if (poll(wait, 2, 0) == 0) return false;
    const bool mounts = wait[0].revents != 0;
    const bool seen = entries_changed() || mounts;
    if (seen) forget();
    return seen;
}

}  // namespace nlsh
