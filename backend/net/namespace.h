// -netns NAME: a thread's stay in a network namespace that has a name under /run/netns.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "backend/descriptor.h"

namespace nlsh {

// The opened file is one of a network namespace; a name whose mount another mount namespace has
// isn't.
bool is_network_namespace(int descriptor);

class NetnsStay {
  public:
    struct Refusal {
        std::string message;  // what the real one says
        std::string reason;   // why it may do more than that; empty: it doesn't
    };
    // Moves the calling thread. Refuses what the real one makes more of: files of /etc/netns/NAME,
    // which it mounts over /etc, and a /sys that it can't mount.
    static std::expected<NetnsStay, Refusal> enter(const std::string& name);

    // Back; a thread that can't go back must not do anything else: the process aborts.
    ~NetnsStay();
    NetnsStay(NetnsStay&&) = default;
    NetnsStay& operator=(NetnsStay&&) = delete;
    // Doesn't go back.
    void settle() { home_.reset(); }

  private:
    explicit NetnsStay(Descriptor home) : home_(std::move(home)) {}
    Descriptor home_;
};

}  // namespace nlsh
