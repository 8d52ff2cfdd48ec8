// The process that writes the audit trail.
#pragma once

#include "shim/audit/audit.h"
#include "shim/audit/target.h"

namespace nlsh {

// Writes the records from the socket until no sender is left. Ignores stop signals, because the
// server's last records are still to come.
[[noreturn]] void write_audit(int socket, AuditTarget& target, Audit::Totals& totals);

}  // namespace nlsh
