// Turns a shell command line into a program for the backend. Each command becomes a typed request,
// a builtin or a filter; otherwise the whole line is declined. Pure: it asks a ProgramEnvironment
// about the machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/decline.h"
#include "parser/ip/arguments.h"
#include "parser/ip/kinds.h"
#include "parser/names.h"
#include "parser/shell/tree.h"

namespace nlsh {

// The facts about the machine and the caller that a parser needs. shim/engine implements this.
class ProgramEnvironment {
  public:
    virtual ~ProgramEnvironment() = default;
    // The word is a command that would run the reference iproute2 ("/sbin/ip", or "ip" by the
    // caller's PATH).
    virtual std::optional<Tool> tool(std::string_view word) const = 0;
    // The traits of that tool's build.
    virtual Traits traits(Tool) const { return iproute2_6_1(); }
    // For the reason of a fallback: the version of a word that is another iproute2, as ": iproute2
    // 6.15.0". Empty: unknown.
    virtual std::string other_version(std::string_view) const { return {}; }
    // The word names an installed program of this base name ("grep", "/bin/grep": base "grep") that
    // nlsh imitates (GNU grep, sed, coreutils, …; procps sysctl). False: decline.
    virtual bool utility(std::string_view word, std::string_view base) const = 0;
    // Whether a utility that is called by its path leaves the directories out of its messages.
    virtual bool says_base_name(std::string_view) const { return false; }
    virtual const NameTables& names() const = 0;
    virtual LinkKinds kinds() const { return {}; }
    // May a redirection or an echo write to this path? (Server: /proc/sys and /dev/null only; in
    // process: any.)
    virtual bool writable(std::string_view path) const = 0;
    // Text collates by bytes (LC_ALL, LC_COLLATE, LANG: C or POSIX): sort(1) needs to know.
    virtual bool c_collation() const { return false; }
    virtual Charset charset() const { return Charset::unknown; }
    // Commands run in the caller's own process: they may have no end, make mounts, name processes.
    virtual bool in_process() const { return false; }
    // For `-netns NAME` iproute2 mounts a fresh /sys; nlsh doesn't. Says why that mount might fail
    // here; null: it can't.
    virtual const char* mount_refusal() const { return nullptr; }
    // argv of ip or bridge as a request; tests have their own.
    virtual Parsed<Command> command(Tool tool, Words words) const;
};

Parsed<Program> parse_program(std::string_view line, Dialect dialect,
                              const ProgramEnvironment& environment);

}  // namespace nlsh
