// Does nlsh say what the real tools say? NLSH_VERIFY: read-only lines are run both ways, the caller
// gets what the real one gave, and differences are written down.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "shim/process/captured.h"

namespace nlsh {

// Of all read-only lines, evenly: 1 is all, 0.01 every hundredth. Nothing: the text is none.
std::optional<double> verify_rate(std::string_view text);
// $NLSH_VERIFY; 0 without.
double own_verify_rate();

// Thread-safe: every 1/rate'th call is due.
class Sampler {
  public:
    explicit Sampler(double rate) : rate_(rate) {}
    bool due();

  private:
    const double rate_;
    std::atomic<uint64_t> calls_ = 0;
};

struct Verification {
    enum class Kind { same, numbers, different };
    Kind kind = Kind::same;  // numbers: only digits differ, as those of timers and counters do
    Captured native;
    Captured real;
};

// Both ways. What changes between the two is no difference: natively again, then.
// Nothing: the line couldn't be run natively or by the real tools.
using RunOnce = std::function<std::optional<Captured>()>;
std::optional<Verification> run_both(const RunOnce& native, const RunOnce& real);

// For a log: the line and what both gave, cut to what a log takes.
std::string describe_difference(std::string_view line, const Verification& verdict);
// Opens a file to append to; a descriptor, or -1.
int open_difference_log(const std::string& file);
// Appends a JSON line with everything to the open file.
void append_difference(int file, std::string_view line, const Verification& verdict);

}  // namespace nlsh
