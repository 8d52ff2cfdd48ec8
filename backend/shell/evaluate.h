// Walks a program: lists, pipelines, redirections, substitutions, builtins, filters, ip and bridge.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "backend/context.h"
#include "backend/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/command.h"
#include "parser/program.h"

namespace nlsh {

// Files that a program writes ( > /proc/sys/…, sysctl -w) or tests (-f). The server's
// implementation acts in the caller's network namespace; tests have one in memory.
class Files {
  public:
    virtual ~Files() = default;
    // Opens for a redirection; errno on failure. The output closes itself.
    virtual std::expected<std::unique_ptr<Output>, int> open(const std::string& path,
                                                             bool append) = 0;
    // A whole file (sysctl, cat); errno on failure.
    virtual std::expected<std::string, int> read(const std::string& path) = 0;
    // stat(2)'s mode; errno on failure.
    virtual std::expected<unsigned, int> mode(const std::string& path) = 0;
};

// A command that ended with a status other than 0, for traces and logs.
struct Failure {
    int position = 0;     // 1 for the first simple command of the line, as written
    std::string command;  // its words
    int status = 0;
    std::string message;   // what it wrote to stderr, its first line
    Refusal refusal = {};  // the kernel's answer, when it was the kernel that refused
    bool says_no = false;  // a filter that found nothing, a test that isn't so: nothing went wrong
};

struct Evaluation {
    int status = 0;  // the shell's exit status
    std::vector<Failure> failures;
    int signal = 0;  // that has killed the shell, or 0
};

// How ip and bridge commands are parsed when they run, and run; tests have their own.
struct Runner {
    Parsed<Command> (*parse)(Tool, Words, const NameTables&, Traits) =
        [](Tool tool, Words words, const NameTables& names, Traits traits) {
            return parse_command(tool, words, names, link_kinds(), traits);
        };
    int (*run)(Context&, const Command&) = [](Context& context, const Command& command) {
        return nlsh::run(context, command);
    };
};

// Runs the program once; out and err are its stdout and stderr. A Decline means that nothing has
// run or been written: hand the line over.
std::expected<Evaluation, Decline> evaluate(const Program& program, Context& context, Sink& out,
                                            Sink& err, Files& files, const Runner& runner = {});

}  // namespace nlsh
