// Where audit records are written: a file, or journald.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace nlsh {

class AuditTarget {
  public:
    virtual ~AuditTarget() = default;
    // Writes one record. Returns 0 or an errno; after an error, readers see no part of the record.
    virtual int write(std::string_view text) = 0;
    // The writer's process must keep this descriptor open.
    virtual int descriptor() const = 0;
};

// "journal" means journald's socket, anything else a file's name. The error says what failed.
std::expected<std::unique_ptr<AuditTarget>, std::string> open_audit_target(
    const std::string& where);

}  // namespace nlsh
