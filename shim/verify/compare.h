// NLSH_VERIFY: runs read-only lines both ways, logs differences, and gives the caller the real
// tools' output.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parser/shell/tree.h"
#include "shim/process/captured.h"

namespace nlsh {

// The share of read-only lines: 1 is all, 0.01 every hundredth. nullopt: not a share.
std::optional<double> verify_rate(std::string_view text);
// $NLSH_VERIFY; nullopt if it isn't set.
std::optional<double> own_verify_rate();

// Thread-safe. Every 1/rate'th line is due. Without a rate: every thousandth line that a qualified
// build of iproute2 would run.
class Sampler {
  public:
    explicit Sampler(std::optional<double> rate);
    bool due(const Program& program);

  private:
    const std::optional<double> rate_;
    std::atomic<uint64_t> calls_;
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
