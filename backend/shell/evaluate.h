// Walks a program: lists, pipelines, redirections, substitutions, builtins, filters, ip and bridge.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/context.h"
#include "backend/net/namespace.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/command.h"
#include "parser/program.h"

namespace nlsh {

// Files that a program writes ( > /proc/sys/…, sysctl -w) or tests (-f). The server's
// implementation works in the caller's network namespace; tests use memory.
class Files {
  public:
    virtual ~Files() = default;
    // Opens a file for a redirection, or returns an errno. The output closes itself.
    virtual std::expected<std::unique_ptr<Output>, int> open(const std::string& path,
                                                             bool append) = 0;
    // Reads a whole file (sysctl, cat), or returns an errno.
    virtual std::expected<std::string, int> read(const std::string& path) = 0;
    // stat(2)'s mode, or an errno.
    virtual std::expected<unsigned, int> mode(const std::string& path) = 0;
};

// A command with a nonzero status, for traces and logs.
struct Failure {
    int position = 0;     // 1 for the first simple command of the line, as written
    std::string command;  // its words
    int status = 0;
    std::string message;   // the first line on stderr
    Refusal refusal = {};  // the kernel's answer, if the kernel refused
    bool says_no = false;  // a filter that found nothing, or a false test: not an error
};

struct Evaluation {
    int status = 0;  // the shell's exit status
    std::vector<Failure> failures;
    int signal = 0;  // the signal that killed the shell, or 0
};

// Parses ip and bridge commands when they run, and runs them; tests have their own.
struct Runner {
    Parsed<Command> (*parse)(Tool, Words, const NameTables&, Traits) =
        [](Tool tool, Words words, const NameTables& names, Traits traits) {
            return parse_command(tool, words, names, link_kinds(), traits);
        };
    int (*run)(Context&, const Command&) = [](Context& context, const Command& command) {
        return nlsh::run(context, command);
    };
    // Why the network namespace can't be entered; empty: it can.
    std::optional<NetnsRefusal> (*refuses_netns)(const std::string& name) = &netns_refusal;
};

// Runs the program once; out and err are its stdout and stderr. A Decline means that nothing has
// run or been written: the line falls back.
std::expected<Evaluation, Decline> evaluate(const Program& program, Context& context, Sink& out,
                                            Sink& err, Files& files, const Runner& runner = {});

}  // namespace nlsh
