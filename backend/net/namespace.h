// -netns NAME: a thread's stay in a network namespace that has a name under /run/netns.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "backend/descriptor.h"

namespace nlsh {

// Whether the opened file is a network namespace. A name whose mount only another mount namespace
// has is a plain file.
bool is_network_namespace(int descriptor);

class NetnsStay {
  public:
    struct Refusal {
        std::string message;  // what iproute2 says
        std::string reason;   // why iproute2 may do more than say so; empty: it doesn't
    };
    // Moves the calling thread. Refuses where iproute2 does more: it mounts the files of
    // /etc/netns/NAME over /etc, and a fresh /sys.
    static std::expected<NetnsStay, Refusal> enter(const std::string& name);

    // Moves the thread back. One that can't go back must not do anything else: the process aborts.
    ~NetnsStay();
    NetnsStay(NetnsStay&&) = default;
    NetnsStay& operator=(NetnsStay&&) = delete;
    // The thread stays for good.
    void settle() { home_.reset(); }

  private:
    explicit NetnsStay(Descriptor home) : home_(std::move(home)) {}
    Descriptor home_;
};

}  // namespace nlsh
