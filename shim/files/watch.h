// Tells whether anything in some directories, or some files, may have changed: cheaply by
// inotify(7) and the kernel's notice of mounts (proc_pid_mountinfo(5)), or by a stat of each.
#pragma once

#include <cstdint>
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
    // guarded: others in this process may close the descriptors, or put others in their place.
    // stamps: there are no descriptors, and only stamps_hold() tells.
    enum class By : uint8_t { notices, guarded_notices, stamps };
    explicit Watch(By by = By::notices);
    By by() const { return by_; }
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // The directory's entries: created, deleted, moved, written, chmod'ed; the directory itself
    // too, and every entry and link on the way to it. One that doesn't exist may appear.
    void add(const std::string& directory);
    // The same for one file. Call it before looking at the file, so that no change between is
    // missed.
    void add_file(const std::string& path);
    // The same for a device: writes to it don't count.
    void add_entry(const std::string& path);
    // Whether something changed since the last call. Always true if something couldn't be watched.
    // Added files stay watched; adding one again looks at the links on the way to it again.
    bool changed();
    // The stamps of all that was added: it is added again.
    void forget() { stamps_.clear(); }
    // All that was added is as it was then, by a stat of each. False as well for a file that was
    // so young then that its next change may leave its times as they are.
    bool stamps_hold() const { return !stamps_.unsettled() && stamps_.hold(); }
    // Something couldn't be watched, or too much is: only a new watch could tell.
    bool blind() const { return blind_; }

  private:
    // The entries of a directory that count: all, or those on the way to a watched file.
    struct Entries {
        bool all = false;
        std::unordered_set<std::string> names;
    };
    bool mine() const;
    bool entries_changed();
    bool counts(int number, const char* name) const;
    int watch(const std::string& path, unsigned events);
    void add_way(const std::string& path);

    By by_;
    int entries_ = -1;  // the inotify instance
    int mounts_ = -1;
    bool blind_ = false;
    std::unordered_map<int, Entries> watched_;
    Stamps stamps_;  // of all that was added since the last change
};

}  // namespace nlsh
