#include "shim/log/repeats.h"

#include <fmt/format.h>

#include <algorithm>

namespace nlsh {

void Repeats::tell(const Known& known, Clock::time_point now, const Say& say) {
    if (known.more == 0) return;
    const auto seconds = std::chrono::round<std::chrono::seconds>(now - known.since).count();
    say(known.level, fmt::format("{} times more in {} s: {}", known.more, seconds, known.text));
}

bool Repeats::is_first(Level level, std::string_view text, std::string_view same,
                       Clock::time_point now, const Say& say) {
    settle(now, say);
    const auto found = std::ranges::find(known_, same, &Known::same);
    if (found != known_.end()) {
        ++found->more;
        return false;
    }
    if (known_.size() >= most) {
        tell(known_.front(), now, say);
        known_.erase(known_.begin());
    }
    known_.push_back({std::string(same), level, std::string(text), now});
    return true;
}

void Repeats::settle(Clock::time_point now, const Say& say) {
    while (due() <= now) {
        Known oldest = std::move(known_.front());
        known_.erase(known_.begin());
        if (oldest.more == 0) continue;
        tell(oldest, now, say);
        oldest.more = 0;
        oldest.since = now;
        known_.push_back(std::move(oldest));
    }
}

void Repeats::settle_all(Clock::time_point now, const Say& say) {
    for (const Known& known : known_)
        tell(known, now, say);
    known_.clear();
}

Repeats::Clock::time_point Repeats::due() const {
    return known_.empty() ? Clock::time_point::max() : known_.front().since + window;
}

}  // namespace nlsh
