// The audit trail of `nlsh serve --audit`: each line that may have changed something.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>

#include "backend/descriptor.h"
#include "shim/audit/record.h"

namespace nlsh {

// Records go through a socket to a process of their own, which writes them. So a slow disk holds up
// no caller, a rotated file can be opened again although the server itself may open nothing, and
// what was recorded is written even if the server is killed.
class Audit {
  public:
    struct Totals {
        std::atomic<uint64_t> written, suppressed, unwritten;
    };

    // Forks: before there are threads and sockets, and before rights are dropped. rate: so many
    // records a second, ten times as many at once. The error says what failed.
    static std::expected<std::unique_ptr<Audit>, std::string> start(const std::string& where,
                                                                    unsigned rate);
    ~Audit();
    Audit(const Audit&) = delete;
    Audit& operator=(const Audit&) = delete;

    // Thread-safe, never blocks. A record over the rate, or one that finds the writer behind, is
    // counted as suppressed.
    void record(const AuditRecord& record);
    const Totals& totals() const { return *totals_; }

  private:
    using Clock = std::chrono::steady_clock;
    Audit(Descriptor socket, Totals* totals, unsigned rate);
    bool admitted();

    Descriptor socket_;
    Totals* const totals_;  // shared with the writer
    const double rate_;
    std::mutex mutex_;
    double left_;
    Clock::time_point when_ = Clock::now();
};

}  // namespace nlsh
