#include "parser/program.h"

#include "parser/ip/command.h"
#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {

Parsed<Command> ProgramEnvironment::command(Tool tool, Words words) const {
    return parse_command(tool, words, names(), kinds(), traits(tool));
}

Parsed<Program> parse_program(std::string_view line, Dialect dialect,
                              const ProgramEnvironment& environment) {
    if (line.size() > max_line) return declined("line too long");
    if (line.find('\0') != std::string_view::npos) return declined("NUL byte");
    ParseTotals totals;
    // popen and system start the shell as "sh".
    Grammar grammar(line, dialect, "sh", environment, totals);
    auto body = TRY(grammar.script());
    // nlsh runs commands one after the other, and a monitor never ends.
    if (totals.endless && totals.commands > 1) return declined("monitor among other commands");
    // A command with an expansion is parsed when it runs. If that fails, the line must still be
    // able to fall back, so nothing may have changed.
    if (totals.changes > 0 && totals.deferred > 0)
        return declined("expansion in a command of a line with changes");
    Program program;
    program.read_only = totals.changes == 0;
    program.prints_names = totals.shows + totals.deferred > 0;
    program.endless = totals.endless;
    program.commands = totals.commands;
    program.beyond_netlink = std::move(totals.beyond_netlink);
    // Nexthops need a second socket. If the server has none, the line must fall back, which is
    // impossible after a change.
    if (totals.shows_routes && totals.changes > 0) program.beyond_netlink = "route show, a change";
    program.written_files = std::move(totals.written_files);
    program.dialect = dialect;
    program.body = std::move(body);
    return program;
}

}  // namespace nlsh
