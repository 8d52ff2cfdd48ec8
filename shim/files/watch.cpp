#include "shim/files/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "shim/files/path_steps.h"
#include "shim/netns/kept_socket.h"

namespace nlsh {
namespace {

constexpr int mark = 63;  // F_SETSIG, never sent without O_ASYNC: tells our file from another's

// Strange callers' paths are forgotten, with a new instance.
constexpr size_t watched_max = 1024;

constexpr unsigned gone = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr unsigned replaced = IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | gone;
constexpr unsigned written = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | gone;

// File systems count in seconds, or in ticks of the kernel's.
constexpr int64_t settling = int64_t{2'500'000'000};  // nanoseconds

bool is_settled(const FileStamp& stamp) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return stamp.changed + settling < nanoseconds(now);
}

// -1: there is no room.
int keep_apart(int descriptor) {
    if (descriptor < 0) return -1;
    const int moved = kept_copy(descriptor);
    close(descriptor);
    if (moved >= 0) fcntl(moved, F_SETSIG, mark);
    return moved;
}

}  // namespace

Watch::Watch(By by) : by_(by), guarded_(by == By::guarded_notices) {
    if (by_ == By::stamps) return;
    entries_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    mounts_ = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (guarded_) {
        entries_ = keep_apart(entries_);
        mounts_ = keep_apart(mounts_);
    }
    blind_ = entries_ < 0;  // without /proc, changes of mounts go unnoticed
}

Watch::~Watch() {
    for (const int descriptor : {entries_, mounts_})
        if (descriptor >= 0 && (!guarded_ || fcntl(descriptor, F_GETSIG) == mark))
            close(descriptor);
}

bool Watch::mine() const {
    return !guarded_ ||
           (fcntl(entries_, F_GETSIG) == mark && (mounts_ < 0 || fcntl(mounts_, F_GETSIG) == mark));
}

// The watch's number; -1: there is nothing, or it can't be watched.
int Watch::watch(const std::string& path, unsigned events) {
    if (by_ == By::stamps) return -1;
    const int number = inotify_add_watch(entries_, path.c_str(), events | IN_MASK_ADD);
    if (number < 0 && errno != ENOENT && errno != ENOTDIR) blind_ = true;
    return number;
}

Watch::Known Watch::look_at(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return {};
    constexpr mode_t anybody = S_IXUSR | S_IXGRP | S_IXOTH;
    const bool program = S_ISREG(status.st_mode) && (status.st_mode & anybody) != 0;
    return {stamp_of(status), program && access(path.c_str(), X_OK) == 0};
}

void Watch::know(const std::string& path) {
    const Known& known = known_.emplace(path, look_at(path)).first->second;
    settled_ = settled_ && is_settled(known.stamp);
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
    if (blind_ || known_.contains(directory)) return;
    know(directory);
    add_way(directory);
    const int number = watch(directory, replaced | written | IN_ONLYDIR);
    if (number >= 0) watched_[number].all = true;
}

void Watch::add_file(const std::string& path) {
    if (blind_ || known_.contains(path)) return;
    know(path);
    add_way(path);
    const int number = watch(path, written);
    if (number >= 0) watched_[number];
}

void Watch::add_entry(const std::string& path) {
    if (!blind_) add_way(path);
}

// An event of a watched file or directory itself has no name.
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

bool Watch::stamps_hold() const {
    return settled_ && std::ranges::all_of(known_, [](const auto& each) {
               return look_at(each.first) == each.second;
           });
}

void Watch::forget() {
    known_.clear();
    settled_ = true;
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
