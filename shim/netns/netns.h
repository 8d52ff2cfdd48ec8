// Network namespaces: which one a socket belongs to, and acting in another one.
#pragma once

#include <cstdint>

#include "backend/descriptor.h"

namespace nlsh {

// The cookie of a socket's namespace (before Linux 5.14: its inode); 0: unknown.
uint64_t netns_of(int socket);
// A descriptor of a socket's namespace.
Descriptor open_netns_of(int socket);
// The calling thread's namespace.
Descriptor open_own_netns();
uint64_t own_netns();
// A new namespace, which lives as long as its descriptors; the calling thread stays where it is.
// Invalid: no namespace can be made.
Descriptor fresh_netns();

// Moves the calling thread to a namespace, and back at the end. Aborts if the thread can't come
// back, because it must not serve another caller there.
class NetnsGuard {
  public:
    NetnsGuard(int there, int back);
    ~NetnsGuard();
    NetnsGuard(const NetnsGuard&) = delete;
    NetnsGuard& operator=(const NetnsGuard&) = delete;
    bool entered() const { return entered_; }

  private:
    int back_;
    bool entered_;
};

}  // namespace nlsh
