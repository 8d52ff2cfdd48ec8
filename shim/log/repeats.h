// Counts messages that repeat; only the first is written.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shim/log/level.h"

namespace nlsh {

// Not thread-safe.
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

}  // namespace nlsh
