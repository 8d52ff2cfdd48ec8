// The netlink socket of a call inside somebody else's process, kept for the next call of a burst:
// made, used first and closed it is a third of what a call costs. A call by itself leaves none
// behind. What preload/client/kept.h says of kept connections holds here, too.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "backend/context.h"
#include "shim/netns/kept_socket.h"

namespace nlsh {

// Must lie in zeroed memory, and be zeroed again in a forked child, which then makes sockets of its
// own. Thread-safe, without locks: who finds no slot goes without.
class KeptSessions {
    struct Slot {
        std::atomic<int> state;
        Session* session;
        bool kept_before;  // `kept` is whole
        bool others;       // the session has another socket, which nobody looks after
        kept_socket kept;  // borrowed by the session's channel; number -1: it has opened none
    };

  public:
    // A session for one call, in the calling thread's network namespace.
    class Lease {
      public:
        // unmoved: since the last call the program has had no chance to change its namespaces, or
        // to become another process. Else the kernel is asked.
        explicit Lease(KeptSessions& owner, bool unmoved = false);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Session& session() { return slot_ != nullptr ? *slot_->session : *own_; }

      private:
        Slot* slot_;
        std::optional<Session> own_;  // without a slot
    };

    // Drops what is kept. A process that the engine is a guest of never comes to it.
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
