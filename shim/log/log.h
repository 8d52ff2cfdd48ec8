// Messages for whoever runs the server: to stderr. The journal gets them with the priorities that
// it reads (sd-daemon(3)), anything else with the time and the level.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "shim/log/level.h"
#include "shim/log/repeats.h"

namespace nlsh {

std::optional<Level> level_of(std::string_view name);

// Thread-safe. Never waits for its reader. A message that comes again within a minute is counted,
// not written. A flood is held back: `burst` lines of a level at once, `rate` a second; the number
// of those left out is logged when there is room again.
class Log {
  public:
    static constexpr unsigned burst = 50;
    static constexpr double rate = 5;

    // Up to `most`.
    explicit Log(Level most, int descriptor = 2);
    ~Log();

    bool takes(Level level) const { return level <= most_; }
    // One line: control characters are shown as \xNN. same: of messages that count as the same one;
    // empty: the text.
    void write(Level level, std::string_view text, std::string_view same = {});
    // Says how often a message came again whose minute is over. For whoever comes by: without a
    // lock when there is nothing to say.
    void settle(std::chrono::steady_clock::time_point now);

  private:
    using Clock = std::chrono::steady_clock;
    struct Budget {
        double left = burst;
        uint64_t left_out = 0;
        Clock::time_point when = Clock::now();
    };
    bool admitted(Budget& budget) const;
    bool put(Level level, std::string_view text) const;
    void write_now(Level level, std::string_view text);

    const Level most_;
    const int descriptor_;
    const bool journal_;
    std::mutex mutex_;
    std::array<Budget, 8> budgets_;
    Repeats repeats_;
    const Repeats::Say say_ = [this](Level level, const std::string& text) {
        write_now(level, text);
    };
    std::atomic<Clock::time_point> due_ = Clock::time_point::max();
};

}  // namespace nlsh
