// The process that writes the audit trail.
#pragma once

#include "shim/audit/audit.h"
#include "shim/audit/target.h"

namespace nlsh {

// Writes what comes over the socket until nobody can send any more. Stop signals don't end it,
// because the server's last lines are still to come.
[[noreturn]] void write_audit(int socket, AuditTarget& target, Audit::Totals& totals);

}  // namespace nlsh
