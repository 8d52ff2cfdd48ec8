// Walks over a program's tree.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/shell/evaluate.h"
#include "backend/shell/streams.h"

namespace nlsh {

// The state of a shell process; a subshell works on a copy.
struct Shell {
    Dialect dialect;
    std::string_view name;  // $0, for its own errors
    std::map<std::string, std::string, std::less<>> variables;
    int status = 0;       // $?
    bool exited = false;  // exit was called
    bool killed = false;  // by SIGPIPE: one of its own commands wrote to a pipe without reader
};

class Evaluator {
  public:
    Evaluator(Context& context, Files& files, const Runner& runner, Hold& hold,
              const Program& program)
        : context_(context), files_(files), runner_(runner), hold_(hold), program_(program) {}

    int list(const List& list, Shell& shell);
    std::vector<Failure> failures;

  private:
    using Redirections = std::vector<Redirection>;

    int node(const Node& node, Shell& shell, std::string_view input);
    int visit(const AndOr& and_or, Shell& shell, std::string_view input);
    int visit(const Pipeline& pipeline, Shell& shell, std::string_view input);
    int visit(const Compound& compound, Shell& shell, std::string_view input);
    int visit(const If& clause, Shell& shell, std::string_view input);
    int visit(const Simple& simple, Shell& shell, std::string_view input);

    // loops.cpp
    int visit(const Loop& loop, Shell& shell, std::string_view input);
    int for_words(const Loop& loop, Shell& shell);
    int while_read(const Loop& loop, Shell& shell, std::string_view input);
    // While this exists (in a loop or a substitution), no command is the line's last.
    class Repeating {
      public:
        explicit Repeating(Evaluator& evaluator) : evaluator_(evaluator) {
            evaluator_.repeating_++;
        }
        ~Repeating() { evaluator_.repeating_--; }
        Repeating(const Repeating&) = delete;
        Repeating& operator=(const Repeating&) = delete;

      private:
        Evaluator& evaluator_;
    };

    int assign(const Simple& simple, Shell& shell);
    // Call before a change. Checks that a line that may print can write its output.
    void before_change();
    // Call after a command. Returns its status, which a failed write changes.
    int written(const Simple& simple, const std::vector<std::string>& words, int status,
                Shell& shell);
    int act(const Simple& simple, Shell& shell, const std::vector<std::string>& words,
            std::string_view input);
    int deferred(const Deferred& deferred, Words arguments, std::string_view input);
    int filter(const Filter& filter, std::string_view input);
    int condition(const Condition& condition, Shell& shell);
    // False: a file couldn't be opened. The error has been printed.
    bool redirect(const Redirections& redirections, StreamScope& scope, const Shell& shell,
                  int line);

    // expand.cpp
    std::vector<std::string> expand(const std::vector<Word>& words, Shell& shell);
    std::string expand_unsplit(const Word& word, Shell& shell);
    std::string value_of(const Part& part, Shell& shell);
    void split(std::string_view value, std::string& field, bool& has_field,
               std::vector<std::string>& fields);

    bool stopped(const Shell& shell) const { return shell.exited || context_.fallback.has_value(); }

    Context& context_;
    Files& files_;
    const Runner& runner_;
    Hold& hold_;
    const Program& program_;
    NullOutput null_;
    int substitution_status_ = 0;  // of the last substitution
    int line_ = 1;                 // of the command whose words are being expanded
    int repeating_ = 0;            // loops and substitutions around the running command
};

// builtin.cpp. `words` begin with the command's name; for test without `]`.
struct BuiltinCall {
    Builtin builtin;
    int line;
    std::span<const std::string> words;
};
int run_builtin(const BuiltinCall& call, Shell& shell, Context& context, Files& files);
// failed_write.cpp. Prints the message of a command whose output or error couldn't be written, and
// returns its status.
struct FailedCommand {
    const Simple& simple;
    std::span<const std::string> words;
    int status;  // without the failed write
    WriteFailure out, err;
};
int write_failed(const FailedCommand& failed, Shell& shell, Context& context);
// A builtin's message of a failed write. Programs don't print the shell's prefix.
std::string write_error(Flavour flavour, const std::string& prefix, const std::string& name,
                        int error);
// Whether a command of the list may write to stdout.
bool may_print(const List& list);
// test.cpp
int run_test(const BuiltinCall& call, const Shell& shell, Context& context, Files& files);
// sysctl.cpp
int run_sysctl(const Sysctl& sysctl, Context& context, Files& files);
// brctl.cpp
int run_brctl(const Brctl& brctl, Context& context);
// The shell's prefix of errors, such as "sh: 1: ".
std::string error_prefix(const Shell& shell, int line);

}  // namespace nlsh
