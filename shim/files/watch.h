// Tells whether directories or files may have changed: cheaply by inotify(7) and the kernel's
// notice of mounts (proc_pid_mountinfo(5)), or by a stat of each.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "backend/file_stamp.h"

namespace nlsh {

// Asks by one poll(2) (0.2 µs), because a stat of each file takes longer than a whole call. Not
// thread-safe. Notices don't show writes by mmap(2), from another machine or to a lower layer, or
// mounts in other namespaces: so call stamps_hold() now and then, too.
class Watch {
  public:
    // guarded: other code of this process may close or replace the descriptors. stamps: without
    // descriptors; only stamps_hold() tells.
    enum class By : uint8_t { notices, guarded_notices, stamps };
    explicit Watch(By by = By::notices);
    By by() const { return by_; }
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Watches a directory's entries (created, deleted, moved, written, chmod'ed), the directory
    // itself, and every entry and link on the way to it. The directory need not exist.
    void add(const std::string& directory);
    // The same for one file. Call it before looking at the file, so that no change between is
    // missed.
    void add_file(const std::string& path);
    // The same for a device, without writes.
    void add_entry(const std::string& path);
    // Whether anything changed since the last call; always true if something couldn't be watched.
    // Added files stay watched; adding one again follows its links anew.
    bool changed();
    // Forgets all stamps. Add the files again.
    void forget() { stamps_.clear(); }
    // Whether, by a stat of each, everything is as when it was added. Also false for a file so
    // young then that another change may leave its times unchanged.
    bool stamps_hold() const { return !stamps_.unsettled() && stamps_.hold(); }
    // Something couldn't be watched, or too much is watched: make a new watch.
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
