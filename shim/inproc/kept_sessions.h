// The netlink socket of a call inside somebody else's process, kept for the next call of a burst:
// made, used first and closed it is a third of what a call costs. A call by itself leaves none
// behind. What preload/kept.h says of kept connections holds here, too.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "backend/context.h"
#include "shim/netns/thread_netns.h"

namespace nlsh {

// Must lie in zeroed memory, and be zeroed again in a forked child, which then makes sockets of its
// own. Thread-safe, without locks: who finds no slot goes without.
class KeptSessions {
    struct Slot {
        std::atomic<int> state;
        pid_t owner;
        Session* session;
        int socket;  // borrowed by the session's channel; -1: it has opened none
        uint64_t cookie;
        bool others;   // the session has another socket, which nobody looks after
        int64_t used;  // now_ms()
        thread_netns netns;
    };

  public:
    // A session for one call, in the calling thread's network namespace.
    class Lease {
      public:
        explicit Lease(KeptSessions& owner);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Session& session() { return slot_ != nullptr ? *slot_->session : own_.emplace(); }

      private:
        Slot* slot_;
        std::optional<Session> own_;
    };

    // Drops what is kept. A process that the engine is a guest of never comes to it.
    ~KeptSessions();

  private:
    static constexpr int count = 4;
    static bool is_ours(const Slot& slot);
    static bool usable(const Slot& slot, pid_t thread);
    static void drop(Slot& slot, bool ours);
    static bool keep(Slot& slot);
    static std::expected<Channel, int> open(Slot& slot, bool strict);
    Slot* take();
    Slot* reserve();

    std::atomic<int64_t> last_call_;
    Slot slots_[count];
};

}  // namespace nlsh
