// Messages for whoever runs the server: to stderr. The journal gets them with the priorities that
// it reads (sd-daemon(3)), anything else with the time and the level.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace nlsh {

// syslog(3)'s numbers.
enum class Level : int8_t { off = -1, error = 3, warning = 4, notice = 5, info = 6, debug = 7 };

std::optional<Level> level_of(std::string_view name);

// Thread-safe. Never waits for its reader, and holds a flood back: `burst` lines of a level at
// once, `rate` a second; the number of those left out is logged when there is room again.
class Log {
  public:
    static constexpr unsigned burst = 50;
    static constexpr double rate = 5;

    // Up to `most`.
    explicit Log(Level most, int descriptor = 2);

    bool takes(Level level) const { return level <= most_; }
    // One line: control characters are shown as \xNN.
    void write(Level level, std::string_view text);

  private:
    using Clock = std::chrono::steady_clock;
    struct Budget {
        double left = burst;
        uint64_t left_out = 0;
        Clock::time_point when = Clock::now();
    };
    bool admitted(Budget& budget) const;
    bool put(Level level, std::string_view text) const;

    const Level most_;
    const int descriptor_;
    const bool journal_;
    std::mutex mutex_;
    std::array<Budget, 8> budgets_;
};

}  // namespace nlsh
