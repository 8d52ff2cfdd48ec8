#include "shim/log/log.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "shim/log/printable.h"

namespace nlsh {
namespace {

constexpr std::array<std::pair<std::string_view, Level>, 6> level_names{{
    {"off", Level::off},
    {"error", Level::error},
    {"warning", Level::warning},
    {"notice", Level::notice},
    {"info", Level::info},
    {"debug", Level::debug},
}};

// Longer lines are cut. One write of this size to a pipe isn't split.
constexpr size_t line_max = 4000;

// Whether systemd's JOURNAL_STREAM names this file ("DEVICE:INODE").
bool is_journal(int descriptor) {
    const char* stream = getenv("JOURNAL_STREAM");
    struct stat status;
    return stream != nullptr && fstat(descriptor, &status) == 0 &&
           fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

std::string_view name_of(Level level) {
    const auto* found =
        std::ranges::find(level_names, level, &decltype(level_names)::value_type::second);
    return found == level_names.end() ? "" : found->first;
}

// "2026-11-23T01:17:02.345Z nlsh: warning: "
std::string head(Level level, bool journal) {
    if (journal) return fmt::format("<{}>nlsh: ", static_cast<int>(level));
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm utc{};
    gmtime_r(&now.tv_sec, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z nlsh: {}: ", utc.tm_year + 1900,
                       utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                       now.tv_nsec / 1'000'000, name_of(level));
}

}  // namespace

std::optional<Level> level_of(std::string_view name) {
    for (const auto& [known, level] : level_names) {
        if (known == name) return level;
    }
    return {};
}

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

Log::Log(Level most, int descriptor)
    : most_(most), descriptor_(descriptor), journal_(is_journal(descriptor)) {}

bool Log::admitted(Budget& budget) const {
    const auto now = Clock::now();
    const std::chrono::duration<double> elapsed = now - budget.when;
    budget.when = now;
    budget.left = std::min<double>(burst, budget.left + rate * elapsed.count());
    if (budget.left < 1) return false;
    budget.left -= 1;
    return true;
}

// False: the reader is behind.
bool Log::put(Level level, std::string_view text) const {
    pollfd wait{descriptor_, POLLOUT, 0};
    if (poll(&wait, 1, 0) != 1 || (wait.revents & POLLOUT) == 0) return false;
    const std::string line = head(level, journal_) + printable(text).substr(0, line_max) + '\n';
    return ::write(descriptor_, line.data(), line.size()) > 0;
}

// Call with the mutex held.
void Log::write_now(Level level, std::string_view text) {
    Budget& budget = budgets_[static_cast<size_t>(level)];
    if (!admitted(budget)) {
        ++budget.left_out;
        return;
    }
    if (budget.left_out > 0 &&
        put(level, fmt::format("{} messages were left out: too many", budget.left_out))) {
        budget.left_out = 0;
    }
    if (!put(level, text)) ++budget.left_out;
}

void Log::write(Level level, std::string_view text, std::string_view same) {
    if (!takes(level) || level == Level::off) return;
    const std::lock_guard lock(mutex_);
    const bool first =
        repeats_.is_first(level, text, same.empty() ? text : same, Clock::now(), say_);
    if (first) write_now(level, text);
    due_ = repeats_.due();
}

void Log::settle(Clock::time_point now) {
    if (now < due_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    repeats_.settle(now, say_);
    due_ = repeats_.due();
}

Log::~Log() {
    repeats_.settle_all(Clock::now(), say_);
}

}  // namespace nlsh
