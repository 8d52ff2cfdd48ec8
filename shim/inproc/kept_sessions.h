// The netlink socket of a call inside another program, kept for the next call of a burst: making,
// first using and closing one takes a third of a call. A single call leaves none behind. The rules
// of preload/client/kept.h hold here, too.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "backend/context.h"
#include "shim/netns/kept_socket.h"

namespace nlsh {

// Must lie in zeroed memory, and be zeroed again in a forked child, which then makes its own
// sockets. Thread-safe, without locks: a call that finds no slot works without one.
class KeptSessions {
    struct Slot {
        std::atomic<int> state;
        Session* session;
        bool kept_before;  // `kept` is valid
        bool others;       // the session has another socket, which isn't kept
        kept_socket kept;  // the session's channel borrows it; number -1: not opened
    };

  public:
    // A session for one call, in the calling thread's network namespace.
    class Lease {
      public:
        // unmoved: since the last call the program can't have changed its namespaces or become
        // another process, so the kernel isn't asked.
        explicit Lease(KeptSessions& owner, bool unmoved = false);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Session& session() { return slot_ != nullptr ? *slot_->session : *own_; }

      private:
        Slot* slot_;
        std::optional<Session> own_;  // if there is no slot
    };

    // Drops kept sockets. In a host program it never runs.
    ~KeptSessions();

  private:
    static constexpr int count = 4;
    static void drop(Slot& slot, bool ours);
    static bool keep(Slot& slot);
    static std::expected<Channel, int> open(Slot& slot, bool strict);
    static bool inherited(const Slot& slot, uint64_t thread);
    Slot* take(bool unmoved);
    Slot* reserve();

    std::atomic<int64_t> last_call_;
    Slot slots_[count];
};

}  // namespace nlsh
