// NLSH_VERIFY: runs read-only lines both ways. The caller gets the real tools' output, and
// differences are logged.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "shim/process/captured.h"

namespace nlsh {

// The share of read-only lines: 1 is all, 0.01 every hundredth. nullopt: not a share.
std::optional<double> verify_rate(std::string_view text);
// $NLSH_VERIFY; 0 if it isn't set.
double own_verify_rate();

// Thread-safe. Every 1/rate'th call is due.
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
    Kind kind = Kind::same;  // numbers: only digits differ, as in timers and counters
    Captured native;
    Captured real;
};

// Runs a line both ways, and natively once more, so that a change between the two isn't a
// difference. nullopt: one way failed to run.
using RunOnce = std::function<std::optional<Captured>()>;
std::optional<Verification> run_both(const RunOnce& native, const RunOnce& real);

// For a log: the line and both outputs, cut to fit.
std::string describe_difference(std::string_view line, const Verification& verdict);
// Opens a file to append to. Returns a descriptor, or -1.
int open_difference_log(const std::string& file);
// Appends a JSON line with both outputs.
void append_difference(int file, std::string_view line, const Verification& verdict);

}  // namespace nlsh
