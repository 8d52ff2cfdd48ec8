// One line of the audit trail: who changed the network, by which line, with which result.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"

namespace nlsh {

struct AuditRecord {
    pid_t pid = 0;
    uid_t uid = 0;
    std::string_view name;  // of the calling program
    uint64_t netns = 0;     // cookie of the network namespace
    std::string_view line;
    const Evaluation& evaluation;
};

// Cuts longer lines and only counts further failures, so that a record fits into one message.
inline constexpr size_t audit_line_max = size_t{16} << 10;
inline constexpr size_t audit_failures_max = 8;

// JSON in ASCII without a newline, because hostile names and lines may reach a terminal.
std::string record_text(const AuditRecord& record, timespec now);

// Says how many records are missing: above the rate, and not written because of `error`.
std::string gap_text(uint64_t suppressed, uint64_t unwritten, int error, timespec now);

}  // namespace nlsh
