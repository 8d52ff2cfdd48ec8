#include "shim/audit/audit.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include "shim/audit/target.h"
#include "shim/confine/rights.h"
#include "shim/files/ends.h"

namespace nlsh {
namespace {

constexpr double burst_seconds = 10;

std::unexpected<std::string> failed(const char* what) {
    return std::unexpected(fmt::format("--audit: {}: {}", what, strerror(errno)));
}

constexpr size_t message_max = size_t{256} << 10;
constexpr int gap_wait_ms = 1000;  // report a gap after this time, if no record comes

timespec now() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return time;
}

// Writes records, and the number of missing ones.
class Trail {
  public:
    Trail(AuditTarget& target, Audit::Totals& totals) : target_(target), totals_(totals) {}

    void add(std::string_view text) {
        tell_gap();
        put(text);
    }
    bool has_gap() const { return suppressed() > 0 || unwritten_ > 0; }
    void tell_gap() {
        if (!has_gap()) return;
        const uint64_t count = suppressed();
        if (target_.write(gap_text(count, unwritten_, error_, now())) != 0) return;
        told_ += count;
        unwritten_ = 0;
    }

  private:
    uint64_t suppressed() const { return totals_.suppressed.load() - told_; }
    void put(std::string_view text) {
        const int error = target_.write(text);
        if (error == 0) {
            ++totals_.written;
            return;
        }
        error_ = error;
        ++unwritten_;
        ++totals_.unwritten;
    }

    AuditTarget& target_;
    Audit::Totals& totals_;
    uint64_t told_ = 0;       // suppressed records already reported
    uint64_t unwritten_ = 0;  // since the last reported gap
    int error_ = 0;
};

// Descriptors that the server inherited or opened must close with the server.
void close_all_but(int one, int other) {
    const auto low = static_cast<unsigned>(std::min(one, other));
    const auto high = static_cast<unsigned>(std::max(one, other));
    if (low > 0) close_range(0, low - 1, 0);
    if (high > low + 1) close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0U, 0);
}

// The process that writes the audit trail: writes the records from the socket until no sender is
// left. Ignores stop signals, because the server's last records are still to come.
[[noreturn]] void write_audit(int socket, AuditTarget& target, Audit::Totals& totals) {
    prctl(PR_SET_NAME, "nlsh-audit");
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
        signal(number, SIG_IGN);
    setpriority(PRIO_PROCESS, 0, 5);  // callers come first
    close_all_but(socket, target.descriptor());
    // Keep the right to reopen a rotated file by name in any user's directory.
    if (!drop_rights(false, capability(CAP_DAC_OVERRIDE))) _exit(1);
    Trail trail(target, totals);
    std::string message(message_max, '\0');
    for (;;) {
        pollfd wait{socket, POLLIN, 0};
        if (poll(&wait, 1, trail.has_gap() ? gap_wait_ms : -1) == 0) {
            trail.tell_gap();
            continue;
        }
        const ssize_t got = recv(socket, message.data(), message.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        trail.add(std::string_view(message).substr(0, static_cast<size_t>(got)));
    }
    trail.tell_gap();
    _exit(0);
}

}  // namespace

Audit::Audit(Descriptor socket, Totals* totals, unsigned rate)
    : socket_(std::move(socket)), totals_(totals), rate_(rate), left_(rate * burst_seconds) {}

Audit::~Audit() {
    munmap(totals_, sizeof(Totals));
}

std::expected<std::unique_ptr<Audit>, std::string> Audit::start(const std::string& where,
                                                                unsigned rate) {
    auto target = open_audit_target(where);
    if (!target) return std::unexpected(target.error());
    Ends ends = make_sockets(SOCK_SEQPACKET);
    if (!ends) return failed("socketpair");
    void* const memory =
        mmap(nullptr, sizeof(Totals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return failed("mmap");
    auto* const totals = new (memory) Totals{};
    const pid_t process = fork();
    if (process < 0) return failed("fork");
    if (process == 0) write_audit(ends.far.get(), **target, *totals);
    return std::unique_ptr<Audit>(new Audit(std::move(ends.near), totals, rate));
}

bool Audit::admitted() {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    const std::chrono::duration<double> elapsed = now - when_;
    when_ = now;
    left_ = std::min(rate_ * burst_seconds, left_ + rate_ * elapsed.count());
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

void Audit::record(const AuditRecord& record) {
    if (admitted()) {
        timespec now{};
        clock_gettime(CLOCK_REALTIME, &now);
        const std::string text = record_text(record, now);
        if (send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return;
    }
    totals_->suppressed.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace nlsh
