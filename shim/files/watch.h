// Tells cheaply whether anything in some directories, or some files, may have changed: inotify(7),
// and of mounts the kernel's own notice (proc_pid_mountinfo(5)).
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "backend/file_stamp.h"

namespace nlsh {

// A poll(2) asks (0.2 µs), where a stat of each file would cost more than a whole call
// may. Not thread-safe. What neither sees (a write by mmap(2), one from another machine or a
// lower layer, a mount in another namespace) its user must ask stamps_hold() for, now and then.
class Watch {
  public:
    // foreign: others in this process may close the descriptors, or put others in their place.
    explicit Watch(bool foreign = false);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // The directory's entries: created, deleted, moved, written, chmod'ed; the directory itself
    // too, and every entry and link on the way to it. One that doesn't exist may appear.
    void add(const std::string& directory);
    // The same of one file. Before it is looked at: what comes between would go unseen.
    void add_file(const std::string& path);
    // The same, but not what is written to it: of a device.
    void add_entry(const std::string& path);
    // Since the last call. Always true when something couldn't be watched. What was added goes on
    // being watched, but the ways there are looked at anew when it is added again.
    bool changed();
    // All that was added is as it was then, by a stat of each.
    bool stamps_hold() const;
    // Something couldn't be watched, or too much is: only a new watch could tell.
    bool blind() const { return blind_; }

  private:
    // What of a directory counts: all entries, or those on a way.
    struct Entries {
        bool all = false;
        std::unordered_set<std::string> names;
    };
    bool mine() const;
    bool entries_changed();
    bool counts(int number, const char* name) const;
    int watch(const std::string& path, unsigned events);
    void add_way(const std::string& path);

    int entries_;  // the inotify instance
    int mounts_;
    bool foreign_;
    bool blind_ = false;
    std::unordered_map<int, Entries> watched_;
    std::unordered_map<std::string, FileStamp> known_;  // added since the last change
};

}  // namespace nlsh
