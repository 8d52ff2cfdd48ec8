#include "shim/audit/audit.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "shim/audit/target.h"
#include "shim/audit/writer.h"
#include "shim/files/ends.h"

namespace nlsh {
namespace {

constexpr double burst_seconds = 10;

std::unexpected<std::string> failed(const char* what) {
    return std::unexpected(fmt::format("--audit: {}: {}", what, strerror(errno)));
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
