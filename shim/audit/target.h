// Where audit records go: a file, or journald.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "backend/descriptor.h"

namespace nlsh {

class AuditTarget {
  public:
    virtual ~AuditTarget() = default;
    // One record. 0, or the errno: nothing of it is to be read then.
    virtual int write(std::string_view text) = 0;
    // The descriptor that must stay open in the writer's process.
    virtual int descriptor() const = 0;
};

// "journal" is journald's socket, everything else a file's name. The error says what failed.
std::expected<std::unique_ptr<AuditTarget>, std::string> open_audit_target(
    const std::string& where);

}  // namespace nlsh
