// Runs lines for a handle of libnlsh.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <expected>
#include <memory>
#include <string>

#include "parser/decline.h"
#include "shim/engine/engine.h"
#include "shim/library/nlsh.h"
#include "shim/process/trace.h"

namespace nlsh {

struct Outcome {
    int status = 0;  // as in nlsh_result
    std::string output = {};
    std::string error = {};
    std::vector<Failure> failures = {};
    std::string fallback = {};  // why the line fell back; empty: native
};

// Thread-safe. Writes to no descriptor of the process except $NLSH_TRACE's file.
class Library {
  public:
    // server: the prefix of the server's sockets; empty: run in process.
    explicit Library(std::string server);
    // Blocks until the line has ended. The error is an errno: nothing has run.
    std::expected<Outcome, int> run(const std::string& line);

  private:
    std::expected<Outcome, Decline> run_native(const std::string& line);
    std::expected<Outcome, Decline> run_here(const std::string& line);
    std::expected<Outcome, Decline> ask(const std::string& line) const;

    const std::string server_;
    const pid_t owner_;
    const Trace trace_;
    const std::chrono::milliseconds patience_;  // for the server: $NLSH_TIMEOUT_MS, or a second
    std::unique_ptr<Engine> engine_;
};

}  // namespace nlsh
