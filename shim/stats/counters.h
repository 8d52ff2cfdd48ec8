// What one worker has done. Its thread counts without a lock; anybody may read.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"
#include "shim/stats/command_kinds.h"
#include "shim/stats/latencies.h"
#include "shim/stats/programs.h"
#include "shim/stats/tally.h"

namespace nlsh {

struct NativeCall {
    std::span<const CommandKind> kinds;  // of the line's commands
    uint64_t netns = 0;
    uint64_t client = 0;  // its process's number
    size_t program = 0;   // that process's (Programs)
    uint64_t nanoseconds = 0;
    const Evaluation& evaluation;
};

class Counters {
  public:
    static constexpr size_t errors_max = 136;   // errno
    static constexpr size_t reasons_max = 256;  // all further ones are "other reasons"
    using Reasons = std::map<std::string, uint64_t, std::less<>>;

    // latencies: of all workers.
    explicit Counters(Latencies& latencies) : latencies_(latencies) {}
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    void native(const NativeCall& call);
    // Costs a lock that nobody else but a reader takes: the real way that follows costs 1000 times
    // more.
    void fallback(std::string_view reason, uint64_t client, size_t program);
    // The program of a process; `look_up` is asked when another one called last.
    template <typename LookUp>
    size_t program_of(uint64_t client, LookUp look_up) {
        if (client != latest_client_) {
            latest_program_ = look_up();
            latest_client_ = client;
        }
        return latest_program_;
    }

    // For readers.
    Reasons reasons() const;

  private:
    friend class Snapshot;  // registry.cpp: sums them up
    using Count = std::atomic<uint64_t>;
    static void bump(Count& count) {
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    Latencies& latencies_;
    Count native_ = 0;
    Count failed_ = 0;  // native lines whose status wasn't 0
    std::array<Count, CommandKinds::max> commands_{};
    std::array<Count, errors_max> errors_{};
    Tally namespaces_;
    Tally clients_;
    std::array<Count, Programs::max> programs_{};
    uint64_t latest_client_ = 0;  // the counting thread's own
    size_t latest_program_ = Programs::others;
    mutable std::mutex mutex_;
    Reasons reasons_;
};

}  // namespace nlsh
