// Recursive descent over a shell line. Declines the whole line unless every part is understood.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "parser/program.h"
#include "parser/shell/lexer.h"

namespace nlsh {

// State that nested scripts of one line share.
struct ParseTotals {
    int depth = 0;
    int commands = 0;
    int changes = 0;        // commands that change something
    int deferred = 0;       // commands that are parsed when they run
    int shows = 0;          // commands of ip or bridge that print objects
    int line_printers = 0;  // commands whose line number the shell may print
    // Variables whose value may become several words, or a glob.
    std::set<std::string, std::less<>> several_words;
    bool endless = false;                    // some command is a monitor
    std::string beyond_netlink;              // the first that needs more than a netlink socket
    bool shows_routes = false;               // some command may need a second one (nexthops)
    std::vector<std::string> written_files;  // by redirections, /dev/null aside
    size_t unrolled = 0;                     // bytes of loops' bodies that were parsed once more
};

// Variables that the line itself has certainly assigned, with their values if known before it runs.
using Assigned = std::map<std::string, std::optional<std::string>, std::less<>>;

inline constexpr size_t max_line = 128 * 1024;

class Grammar final : Lexer {
  public:
    Grammar(std::string_view text, Dialect dialect, std::string name,
            const ProgramEnvironment& environment, ParseTotals& totals)
        : Lexer(text),
          dialect_(dialect),
          name_(std::move(name)),
          environment_(environment),
          totals_(totals) {}

    // Parses the whole text.
    Parsed<List> script();
    // Makes its commands run in that network namespace.
    void enter(std::string netns) { netns_ = std::move(netns); }

  private:
    using Redirections = std::vector<Redirection>;

    // The ends of a list.
    enum class Stop : uint8_t { end, parenthesis, brace, then, branch, fi, done };

    // grammar.cpp. These fill a node in its final place, because moving a node is expensive.
    Parsed<List> list(Stop stop, bool may_be_empty = false);
    bool at_stop(Stop stop);
    Parsed<void> and_or(Node& node);
    Parsed<void> pipeline(Node& node);
    Parsed<void> stages(Pipeline& pipeline, Node first, int changes_before);
    Parsed<void> command(Node& node, bool has_input);
    Parsed<void> subshell(Node& node);
    Parsed<void> group(Node& node);
    Parsed<void> if_clause(Node& node);
    Parsed<Redirections> compound_redirections();
    Parsed<void> simple(Node& node, bool has_input);

    // loops.cpp
    Parsed<void> for_clause(Node& node);
    Parsed<void> while_clause(Node& node, bool has_input);
    Parsed<std::string> loop_variable();
    Parsed<void> loop_words(Loop& loop);
    Parsed<void> unroll(Loop& loop);
    Parsed<void> repeated_body(Loop& loop);
    Parsed<void> body_of(Loop& loop);

    // conditions.cpp
    Parsed<void> condition(Node& node);
    Parsed<void> comparison(Condition& condition);
    Parsed<std::string> pattern_text(bool regex);
    Parsed<void> bracket_text(std::string& text);

    // words.cpp
    Parsed<void> special(bool first) override;
    Parsed<void> expansion(Word& word, bool quoted) override;
    Parsed<void> variable(Word& word, bool quoted);
    Parsed<void> substitution(Word& word, bool quoted);
    Parsed<void> backquotes(Word& word, bool quoted);
    Parsed<Redirection> redirection();
    Parsed<Assignment> assignment();

    // commands.cpp
    // The node is a simple command, whose words have been read.
    Parsed<void> resolve(Node& node, bool has_input);
    void shorten(Simple& simple, const std::string& name) const;
    Parsed<bool> resolve_named(Simple& simple, const std::string& name, bool has_input);
    Parsed<bool> resolve_tool(Simple& simple, Tool tool);
    // in_netns.cpp
    // If the words run a tool in a network namespace, keeps only the tool's words.
    std::optional<Tool> tool_in_netns(std::vector<std::string>& words) const;
    // `ip netns exec NAME sh -c TEXT`. False: the command is another one.
    Parsed<bool> script_in_netns(Node& node);
    Parsed<void> resolve_nsenter(Simple& simple);
    Parsed<void> check_in_netns(const Simple& simple) const;
    Parsed<void> add_command(Simple& simple, Parsed<Command> command);
    // Notes a command that needs more than a netlink socket.
    void needs_more(std::string_view command);
    Parsed<bool> resolve_filter(Simple& simple, std::string_view base, bool has_input);
    void assign(const Simple& simple);
    void set_positional(const Simple& simple);
    std::optional<Dialect> shell(std::string_view name) const;
    // `words` are the shell's, without its name.
    Parsed<void> nested_script(Node& node, std::string name, Dialect dialect, Words words,
                               const std::string& netns);

    Dialect dialect_;
    std::string name_;
    const ProgramEnvironment& environment_;
    ParseTotals& totals_;
    std::string netns_ = {};
    Assigned assigned_;  // when the next command runs
    // An assignment earlier in the same command changes a known value.
    bool values_change_ = false;
};

// All words after the name, or nothing if one depends on the run.
std::optional<std::vector<std::string>> literal_arguments(const Simple& simple);
// Whether the shell or a program gives the variable a meaning (words.cpp).
bool special_variable(std::string_view name);
// builtins.cpp: checks the known words of a builtin; `simple.words` are all its words. False:
// whether nlsh can run it is known only at that time.
Parsed<bool> check_builtin(const Simple& simple, const Builtin& builtin,
                           const ProgramEnvironment& environment);
// sysctl.cpp
Parsed<Sysctl> parse_sysctl(Words arguments);
// brctl.cpp
Parsed<Brctl> parse_brctl(Words arguments);

}  // namespace nlsh
