// Files beneath /proc/sys that a line writes over its caller's socket: the caller opens them, so
// that the kernel checks the caller's rights, in its network namespace (wire.h, NLSH_OPEN).
#pragma once

#include "backend/shell/evaluate.h"
#include "shim/journal/journal.h"

namespace nlsh {

// Throws when the caller doesn't answer: the line ends there.
class CallersFiles final : public Files {
  public:
    // connection: the accepted socket.
    CallersFiles(int connection, Journal* journal) : connection_(connection), journal_(journal) {}
    std::expected<std::unique_ptr<Output>, int> open(const std::string& path, bool append) override;
    // No line comes here that would look at a file (Program::beyond_netlink).
    std::expected<std::string, int> read(const std::string&) override;
    std::expected<unsigned, int> mode(const std::string&) override;

  private:
    const int connection_;
    Journal* const journal_;
};

}  // namespace nlsh
