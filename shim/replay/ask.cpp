#include "shim/replay/ask.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <span>

#include "parser/text.h"
#include "shim/files/ends.h"
#include "shim/process/exit_status.h"
#include "shim/process/places.h"

namespace nlsh {
namespace {

constexpr int tapes_descriptor = 3, results_descriptor = 4, wanted_descriptor = 5;
constexpr int quiet_ms = 20'000;  // one process has 8 seconds, and then once more
// The background's process is niced: a busy machine gives it little time. serve.c bounds the
// processor's time.
constexpr auto longest = std::chrono::minutes(10);
constexpr size_t output_max = size_t{8} << 20;

// A preload doesn't reach it.
bool has_rights_of_its_own(const std::string& program) {
    struct stat status;
    if (stat(program.c_str(), &status) != 0) return true;
    const bool set = (status.st_mode & (S_ISUID | S_ISGID)) != 0;
    return set || getxattr(program.c_str(), "security.capability", nullptr, 0) > 0;
}

// The other end of a pipe, read line by line and by numbers of bytes.
class Results {
  public:
    explicit Results(Descriptor end) : end_(std::move(end)), until_(Clock::now() + longest) {}

    std::optional<std::string> line() {
        size_t end;
        while ((end = buffer_.find('\n')) == buffer_.npos)
            if (buffer_.size() > line_max || !more()) return {};
        std::string text = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return text;
    }
    std::optional<std::string> bytes(size_t size) {
        while (buffer_.size() < size)
            if (!more()) return {};
        std::string text = buffer_.substr(0, size);
        buffer_.erase(0, size);
        return text;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr size_t line_max = 4096;

    bool more() {
        if (Clock::now() > until_) return false;
        pollfd waiting{.fd = end_.get(), .events = POLLIN, .revents = 0};
        if (poll(&waiting, 1, quiet_ms) <= 0) return false;
        char piece[65536];
        const ssize_t got = read(end_.get(), piece, sizeof piece);
        if (got <= 0) return false;
        buffer_.append(piece, static_cast<size_t>(got));
        return true;
    }

    Descriptor end_;
    Clock::time_point until_;
    std::string buffer_;
};

// The child keeps three descriptors: `tapes`, `results` and `wanted`.
pid_t start_process(const std::string& program, int tapes, int results, int wanted) {
    const std::string preload = "LD_PRELOAD=" + place_of("nlsh-replay.so");
    const pid_t child = fork();
    if (child != 0) return child;
    // Above all that is put in place, so that none is overwritten.
    constexpr int far = 10;
    const int far_tapes = fcntl(tapes, F_DUPFD, far), far_results = fcntl(results, F_DUPFD, far),
              far_wanted = fcntl(wanted, F_DUPFD, far);
    const int null = open("/dev/null", O_RDWR);
    const int standard = null >= 0 ? null : far_tapes;
    for (const int each : {0, 1, 2})
        dup2(standard, each);
    if (dup2(far_tapes, tapes_descriptor) < 0 || dup2(far_results, results_descriptor) < 0 ||
        dup2(far_wanted, wanted_descriptor) < 0 || chdir("/") != 0)
        _exit(1);
    close_range(wanted_descriptor + 1, ~0U, 0);
    std::string name(base_name(program));
    std::string version = "-V", mode = "NLSH_REPLAY=1", locale = "LC_ALL=C", given = preload;
    char* const words[] = {name.data(), version.data(), nullptr};
    char* const variables[] = {given.data(), mode.data(), locale.data(), nullptr};
    execve(program.c_str(), words, variables);
    _exit(1);
}

// False: what comes isn't from our preload. `wanted` is sorted.
bool read_result(std::string_view line, Results& results, std::span<const uint32_t> wanted,
                 std::vector<Replayed>& found) {
    const std::vector<std::string_view> parts = split(line, ' ');
    uint32_t number = 0;
    size_t out = 0, err = 0;
    int status = 0;
    if (parts.size() != 5 || !read_number(parts[0], number) || !read_number(parts[2], status) ||
        !read_number(parts[3], out) || !read_number(parts[4], err))
        return false;
    if (!std::ranges::binary_search(wanted, number) || out > output_max || err > output_max)
        return false;
    Replayed& one = found[number];
    // What hung says nothing: the machine may be too busy. It stays unproven.
    one.verdict = parts[1] == "hung"      ? Replayed::Verdict::not_run
                  : parts[1] == "same"    ? Replayed::Verdict::same
                  : parts[1] == "entered" ? Replayed::Verdict::entered
                                          : Replayed::Verdict::different;
    one.asked_the_same = parts[1] == "same" || parts[1] == "output" || parts[1] == "status";
    one.status = status;
    one.errors = err;
    if (out + err == 0) return true;
    const auto said_out = results.bytes(out), said_err = results.bytes(err);
    if (!said_out || !said_err) return false;
    one.said = *said_err + *said_out;
    return true;
}

}  // namespace

struct Player::Connection {
    pid_t process;
    Results results;
    Descriptor wanted;
};

Player::Player(std::string program, std::unique_ptr<Connection> connection)
    : program_(std::move(program)), connection_(std::move(connection)) {}

Player::Player(Player&&) noexcept = default;

Player::~Player() {
    if (connection_ == nullptr) return;
    kill(connection_->process, SIGKILL);
    wait_for_end(connection_->process);
}

std::expected<Player, std::string> Player::start(std::string program, const Corpus& corpus) {
    if (has_rights_of_its_own(program))
        return std::unexpected(fmt::format("{} has rights of its own", program));
    if (place_of("nlsh-replay.so").empty()) return std::unexpected("nlsh-replay.so isn't there");
    Ends results = make_pipe();
    if (!results) return std::unexpected("no pipe");
    // A socket: a write to it fails without a signal if the program has ended.
    Ends wanted = make_sockets(SOCK_STREAM);
    if (!wanted) return std::unexpected("no socket");
    const pid_t child =
        start_process(program, corpus.file().get(), results.far.get(), wanted.far.get());
    if (child < 0) return std::unexpected("no process");
    results.far.reset();
    Player player(std::move(program),
                  std::make_unique<Connection>(
                      Connection{child, Results(std::move(results.near)), std::move(wanted.near)}));
    if (player.connection_->results.line() != "ready")
        return std::unexpected(fmt::format("{} can't be run with recordings", player.program_));
    return player;
}

std::expected<void, std::string> Player::play(const std::vector<uint32_t>& tapes,
                                              std::vector<Replayed>& found,
                                              const std::function<void()>& played) {
    constexpr size_t at_once = 4096;  // fits into the socket's buffer: neither side waits
    constexpr uint32_t end_mark = ~0U;
    for (size_t from = 0; from < tapes.size(); from += at_once) {
        std::vector<uint32_t> some(
            tapes.begin() + static_cast<ptrdiff_t>(from),
            tapes.begin() + static_cast<ptrdiff_t>(std::min(tapes.size(), from + at_once)));
        std::ranges::sort(some);
        const size_t count = some.size();
        some.push_back(end_mark);
        const size_t size = some.size() * sizeof some[0];
        // What a part has proven, the rest may contradict.
        const auto stopped = fmt::format("{} hangs, or was stopped", program_);
        if (send(connection_->wanted.get(), some.data(), size, MSG_NOSIGNAL) !=
            static_cast<ssize_t>(size))
            return std::unexpected(stopped);
        for (;;) {
            const auto line = connection_->results.line();
            if (!line) return std::unexpected(stopped);
            if (*line == "end") break;
            if (!read_result(*line, connection_->results, std::span(some).first(count), found))
                return std::unexpected(fmt::format("{} gives strange results", program_));
            if (played) played();
        }
    }
    return {};
}

}  // namespace nlsh
