// Tells cheaply whether anything in some directories has changed (inotify(7)).
#pragma once

#include <string>

namespace nlsh {

// One read(2) asks (0.2 µs), where a stat of each file would cost more than a whole call may. Not
// thread-safe. What inotify can't see (mounts, directories that don't exist yet) its user must
// check by age.
class Watch {
  public:
    // foreign: others in this process may close the descriptor, or put another in its place.
    explicit Watch(bool foreign = false);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // The directory's entries: created, deleted, moved, written, chmod'ed; the directory itself
    // too.
    void add(const std::string& directory);
    // Since the last call. Always true when a directory couldn't be watched.
    bool changed();
    // Something couldn't be watched: only a new watch could tell.
    bool blind() const { return blind_; }

  private:
    bool mine() const;

    int descriptor_;
    bool foreign_;
    bool blind_ = false;
};

}  // namespace nlsh
