// A command line as a program: a tree of lists, pipelines, compounds and simple commands. Immutable
// after parsing, so that several threads can run one tree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parser/filter/filter.h"
#include "parser/ip/refusal.h"
#include "parser/ip/request.h"

namespace nlsh {

// The shell that popen and system start: /bin/sh is dash, or bash in its sh mode. `bash -c` inside
// switches.
enum class Dialect : uint8_t { dash, bash };

struct Node;

// `a; b; c`, newlines included.
struct List {
    std::vector<Node> items;
};

// A piece of a word.
struct Part {
    enum class Kind : uint8_t { literal, variable, status, substitution };
    Kind kind = Kind::literal;
    bool quoted = false;
    std::string text;                  // literal: the bytes; variable: its name
    std::shared_ptr<const List> body;  // substitution
};

struct Word {
    std::string source;            // as written
    bool plain = false;            // it means exactly `source`, as nearly all words do; no parts
    std::vector<Part> parts = {};  // otherwise its meaning

    // The word's text when nothing in it depends on the run.
    std::optional<std::string> literal() const;
};

struct Assignment {
    std::string name;
    Word value;
};

struct Redirection {
    enum class Kind : uint8_t { truncate, append, duplicate };
    Kind kind = Kind::truncate;
    bool from_out = false, from_err = false;  // which streams it redirects: 1, 2, &
    bool to_err = false;                      // duplicate: >&2
    std::string path;

    bool discards() const { return kind != Kind::duplicate && path == "/dev/null"; }
    bool writes_file() const { return kind != Kind::duplicate && path != "/dev/null"; }
};

enum class BuiltinKind : uint8_t { colon, true_, false_, exit, echo, printf, test, set };

// echo and others differ between dash, bash and /bin.
enum class Flavour : uint8_t { dash, bash, program };

// The caller's LC_CTYPE: how bash's echo -e writes \u00e9.
enum class Charset : uint8_t { unknown, ascii, utf8 };

struct Builtin {
    BuiltinKind kind = BuiltinKind::colon;
    Flavour flavour = Flavour::dash;
    bool bracket = false;  // test written as [
    Charset charset = Charset::unknown;
};

// Whether printf's %d takes the text natively. Pure.
bool is_printf_number(std::string_view text);

// sysctl(8): sets or shows keys.
struct Sysctl {
    struct Setting {
        std::string key, path;             // in dots and below /proc/sys
        std::optional<std::string> value;  // nothing: show it
    };
    bool quiet = false, values_only = false;
    bool ignore_unknown = false;
    std::vector<Setting> settings;
};

// brctl(8): the verbs that scripts use to change something.
enum class BrctlVerb : uint8_t { addbr, delbr, addif, delif };
struct Brctl {
    BrctlVerb verb;
    std::string bridge;
    std::vector<std::string> ports;
};

// A command with words that are known only when it runs. Only programs that change nothing have
// such commands.
struct Deferred {
    std::optional<Tool> tool;  // ip or bridge; else a filter
    Traits traits;             // the tool's
    std::string filter;
    std::string netns = {};  // of a script within `ip netns exec`
};

// bash's [[ … ]]. Its words are neither split nor globs.
struct Condition {
    enum class Kind : uint8_t { not_empty, equal, whole_pattern, pattern };
    Kind kind = Kind::not_empty;
    bool negated = false;
    Word left, right;  // right: of `equal`
    Pattern regex;     // for =~, or a converted glob
};

using Action =
    std::variant<std::monostate, Command, Builtin, Filter, Sysctl, Brctl, Deferred, Condition>;

struct Simple {
    int position = 0;  // 1 for the first simple command of the line, as written
    int line = 1;      // for the shell's own errors
    std::vector<Assignment> assignments;
    std::vector<Word> words;  // the command's name first
    std::vector<Redirection> redirections;
    Action action;  // monostate: only assignments or redirections
};

// `a && b || c`; and_[i] stands between items i and i + 1.
struct AndOr {
    std::vector<Node> items;
    std::vector<bool> and_;
};

struct Pipeline {
    std::vector<Node> stages;
    bool negated = false;
};

struct Compound {
    enum class Kind : uint8_t { group, subshell, script };
    Kind kind = Kind::group;
    List body;
    std::vector<Redirection> redirections;
    // script: `bash -c "…"`
    Dialect dialect = Dialect::dash;
    std::string name;        // $0, for the shell's own errors
    std::string netns = {};  // `ip netns exec NAME sh -c "…"`: each of its commands enters NAME
};

struct If {
    struct Branch {
        List condition, body;
    };
    std::vector<Branch> branches;  // if, elif …
    std::optional<List> otherwise;
    std::vector<Redirection> redirections;
};

// `for NAME in WORDS; do …; done`, or `while read NAMES; do …; done` behind a pipe.
struct Loop {
    enum class Kind : uint8_t { for_words, for_known_words, while_read };
    Kind kind = Kind::for_words;
    bool raw = false;                // read -r
    std::vector<std::string> names;  // one for `for`
    std::vector<Word> words;         // of `for`
    // for_known_words: the body as parsed for each word. Otherwise a single body.
    std::vector<List> bodies;
    std::vector<Redirection> redirections;
};

struct Node {
    std::variant<Simple, AndOr, Pipeline, Compound, If, Loop> kind;
};

struct Program {
    bool read_only = true;      // no command changes anything
    bool prints_names = false;  // a command in it may print names of /etc/iproute2
    bool endless = false;       // a monitor, alone
    int commands = 0;           // simple commands in it
    // The first command that needs more than a netlink socket and `written_files`; empty: none.
    std::string beyond_netlink;
    std::vector<std::string> written_files;  // by redirections
    Dialect dialect = Dialect::dash;
    List body;
};

}  // namespace nlsh
