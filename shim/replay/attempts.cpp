#include "shim/replay/attempts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <thread>

#include "parser/text.h"
#include "shim/builds/proven.h"

namespace nlsh {
namespace {

constexpr long minute = 60, day = 24 * 60 * minute;

std::string file_of(const RecordPlace& place) {
    return place.folder + "/tried";
}

Descriptor open_lock(const RecordPlace& place) {
    constexpr mode_t own = 0600;
    return open_file((place.folder + "/lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
                     own);
}

bool is_locked(const Descriptor& lock) {
    return flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

long Attempts::wait_s() const {
    constexpr unsigned doublings_max = 11;  // more than a day
    return number == 0 ? 0 : std::min(day, minute << std::min(number - 1, doublings_max));
}

std::optional<Descriptor> lock_place(const RecordPlace& place, std::chrono::milliseconds patience) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds pause(50);
    const auto until = Clock::now() + patience;
    Descriptor lock = open_lock(place);
    while (lock && !is_locked(lock)) {
        if (errno != EWOULDBLOCK || Clock::now() > until) return {};
        std::this_thread::sleep_for(pause);
    }
    if (!lock) return {};
    return lock;
}

Attempts attempts_for(const RecordPlace& place, const std::string& key) {
    constexpr int hexadecimal = 16;
    const std::string text = read_believed(place, file_of(place));
    const auto parts = split(std::string_view(text).substr(0, text.find('\n')), ' ');
    Attempts attempts;
    uint64_t builds = 0;
    if (parts.size() != 3 || !read_number(parts[0], builds, hexadecimal) ||
        !read_number(parts[1], attempts.number) || !read_number(parts[2], attempts.last))
        return {};
    return builds == unit_of(key) ? attempts : Attempts();
}

bool claim_attempt(const RecordPlace& place, const std::string& key) {
    const Descriptor lock = open_lock(place);
    if (!lock || !is_locked(lock)) return false;
    const Attempts before = attempts_for(place, key);
    const long now = time(nullptr);
    // A time in the future: the clock was set back.
    if (before.last <= now && now - before.last < before.wait_s()) return false;
    return write_believed(file_of(place),
                          fmt::format("{:016x} {} {}\n", unit_of(key), before.number + 1, now))
        .empty();
}

void forget_attempts(const RecordPlace& place) {
    unlink(file_of(place).c_str());
}

}  // namespace nlsh
