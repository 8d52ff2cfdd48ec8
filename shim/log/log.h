// The server's messages on stderr. The journal gets priorities (sd-daemon(3)); a file or a pipe
// gets the time and the level.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

// How much a message matters: syslog(3)'s numbers.
enum class Level : int8_t { off = -1, error = 3, warning = 4, notice = 5, info = 6, debug = 7 };
std::optional<Level> level_of(std::string_view name);

// Counts messages that repeat; only the first is written. Not thread-safe.
class Repeats {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds window{60};
    static constexpr size_t most = 32;  // remembered messages

    // Gets "363 times more in 60 s: MESSAGE".
    using Say = std::function<void(Level, const std::string&)>;

    // Returns whether to write the message. A message whose `same` was written within the window is
    // only counted.
    bool is_first(Level level, std::string_view text, std::string_view same, Clock::time_point now,
                  const Say& say);
    // Writes the counts of messages whose time is over, and forgets those that didn't repeat.
    void settle(Clock::time_point now, const Say& say);
    // Writes all counts, whether their time is over or not.
    void settle_all(Clock::time_point now, const Say& say);
    // When settle() has work to do; max(): never.
    Clock::time_point due() const;

  private:
    struct Known {
        std::string same;
        Level level;
        std::string text;
        Clock::time_point since;
        uint64_t more = 0;
    };
    static void tell(const Known& known, Clock::time_point now, const Say& say);

    std::vector<Known> known_;  // oldest first
};

// Thread-safe. Never waits for its reader. Counts a message that repeats within a minute, instead
// of writing it. Limits floods: `burst` lines of a level at once, `rate` a second; the log then
// says how many lines are missing.
class Log {
  public:
    static constexpr unsigned burst = 50;
    static constexpr double rate = 5;

    // most: the most detailed level.
    explicit Log(Level most, int descriptor = 2);
    ~Log();

    bool takes(Level level) const { return level <= most_; }
    // Writes one line; control characters become \xNN. same: messages with equal `same` count as
    // one message; empty: the text.
    void write(Level level, std::string_view text, std::string_view same = {});
    // Writes the counts of repeated messages whose minute is over. Takes no lock if there is
    // nothing to write.
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
