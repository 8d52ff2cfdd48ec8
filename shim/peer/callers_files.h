// Files beneath /proc/sys that a line writes over its caller's socket. The caller opens them, so
// that the kernel checks the caller's rights, in the caller's network namespace (wire.h,
// NLSH_OPEN).
#pragma once

#include "backend/shell/evaluate.h"
#include "shim/journal/journal.h"

namespace nlsh {

// Throws if the caller doesn't answer: the line ends there.
class CallersFiles final : public Files {
  public:
    // connection: the accepted socket.
    CallersFiles(int connection, Journal* journal) : connection_(connection), journal_(journal) {}
    std::expected<std::unique_ptr<Output>, int> open(const std::string& path, bool append) override;
    // Never called: Program::beyond_netlink keeps such lines away.
    std::expected<std::string, int> read(const std::string&) override;
    std::expected<unsigned, int> mode(const std::string&) override;

  private:
    const int connection_;
    Journal* const journal_;
};

}  // namespace nlsh
