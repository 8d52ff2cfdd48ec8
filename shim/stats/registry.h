// The counters of each worker, and their sum.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/shell/evaluate.h"
#include "shim/json/json.h"
#include "shim/stats/histogram.h"

namespace nlsh {

// Counts labels. Callers choose some of them, so labels beyond the first 256 count together as
// "other".
class LabelCounts {
  public:
    static constexpr size_t max = 256;
    static constexpr std::string_view other = "other";

    void add(std::string_view label, uint64_t count = 1);
    void add(const LabelCounts& counts);
    auto begin() const { return counts_.begin(); }
    auto end() const { return counts_.end(); }

  private:
    std::map<std::string, uint64_t, std::less<>> counts_;
};

struct Counts {
    uint64_t native = 0;
    uint64_t failed = 0;  // native lines with a status other than 0
    uint64_t fallback = 0;
    LabelCounts commands, reasons, programs;
    std::map<int, uint64_t> errors;  // by errno

    void add(const Counts& counts);
};

// Counters of one worker. Only the worker's thread counts; any thread may read.
class Counters {
  public:
    // program: the caller's program.
    void native(std::span<const std::string> commands, std::string_view program,
                const Evaluation& evaluation);
    void fallback(std::string_view reason, std::string_view program);

    // The program of a process. Calls `look_up` only if another process called last.
    template <typename LookUp>
    std::string_view program_of(int process, LookUp look_up) {
        if (process != latest_process_) {
            latest_program_ = look_up();
            latest_process_ = process;
        }
        return latest_program_;
    }
    void add_to(Counts& sum) const;

  private:
    int latest_process_ = 0;  // used by the counting thread only
    std::string latest_program_;
    mutable std::mutex mutex_;  // contended by readers only
    Counts counts_;
};

class Registry {
  public:
    // Counters for one thread, which returns them at its end; another thread then continues with
    // them.
    Counters& take();
    void give_back(Counters& counters);
    // The time from a native line's arrival to its reply.
    Histogram& latency() { return latency_; }

    // For `nlsh stats`; summary.h describes it.
    Json snapshot() const;

  private:
    Histogram latency_;
    // A steady clock, because the system's time may be set.
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Counters>> all_;
    std::vector<Counters*> free_;
};

}  // namespace nlsh
