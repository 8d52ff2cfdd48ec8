// What one worker has done. Its thread counts; anybody may read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"

namespace nlsh {

// How often each label came. Beyond the first 256, labels are counted together as "other": callers
// choose some of them.
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
    uint64_t failed = 0;  // native lines whose status wasn't 0
    uint64_t fallback = 0;
    LabelCounts commands, reasons, programs;
    std::map<int, uint64_t> errors;  // by errno

    void add(const Counts& counts);
};

class Counters {
  public:
    // program: the caller's.
    void native(std::span<const std::string> commands, std::string_view program,
                const Evaluation& evaluation);
    void fallback(std::string_view reason, std::string_view program);

    // The program of a process; `look_up` is asked when another one called last.
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
    int latest_process_ = 0;  // the counting thread's own
    std::string latest_program_;
    mutable std::mutex mutex_;  // nobody waits for it but a reader
    Counts counts_;
};

}  // namespace nlsh
