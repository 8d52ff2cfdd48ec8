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

// A separate process gets the records through a socket, and writes them. So a slow disk delays no
// caller, the writer can reopen a rotated file, which the server may not, and records survive a
// kill of the server.
class Audit {
  public:
    struct Totals {
        std::atomic<uint64_t> written, suppressed, unwritten;
    };

    // Forks: call it before there are threads and sockets, and before rights are dropped. rate: the
    // most records a second; ten times as many in a burst. The error says what failed.
    static std::expected<std::unique_ptr<Audit>, std::string> start(const std::string& where,
                                                                    unsigned rate);
    ~Audit();
    Audit(const Audit&) = delete;
    Audit& operator=(const Audit&) = delete;

    // Thread-safe, never blocks. Counts a record as suppressed if it exceeds the rate or the writer
    // is behind.
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
