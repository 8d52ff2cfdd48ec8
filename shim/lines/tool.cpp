#include "shim/lines/tool.h"

#include <unistd.h>

#include <utility>

#include "backend/context.h"
#include "backend/names/files.h"
#include "backend/net/namespace.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "backend/shell/streams.h"
#include "parser/ip/command.h"
#include "shim/engine/caller.h"
#include "shim/engine/own_rights.h"
#include "shim/files/descriptor_output.h"

namespace nlsh {
namespace {

// Runs the command in this process. Decline: nothing was done.
std::expected<int, Decline> run_command(const Command& command, const NameTables& names,
                                        const ColorWishes& colors) {
    Session session(Session::Threads::some);
    DescriptorOutput out(STDOUT_FILENO);
    DescriptorOutput err(STDERR_FILENO);
    Context context{.session = session, .names = names, .out = &out, .err = &err, .colors = colors};
    Hold hold(context, out, err, !command.is.read_only);  // a show may still fall back
    context.out = &hold.out;
    context.err = &hold.err;
    const int status = run(context, command);
    if (names.corrupted) context.fall_back("a file of /etc/iproute2 is corrupted");
    hold.settle(false);
    if (context.fallback && !context.committed)
        return std::unexpected(std::move(*context.fallback));
    return status;
}

}  // namespace

std::expected<BatchResult, Decline> run_tool(Tool tool, const char* program, Words words,
                                             References& references,
                                             std::optional<BatchSource> input) {
    const CallerEnvironment environment = own_environment_of_command();
    if (!environment.unsupported.empty()) return declined(environment.unsupported + " is set");
    auto invocation = parse_invocation(tool, words, references.traits(tool));
    if (!invocation) return std::unexpected(invocation.error());
    if (!invocation->netns.empty() && is_filtered())
        return declined("-netns under a seccomp filter");
    const NameTables names = NameFiles::on_demand([&] { return references.traits_of_names(); });
    if (invocation->batch != 0) {
        ColorMode& color = invocation->options.color;
        if (color == ColorMode::automatic ||
            (color == ColorMode::unsaid && isatty(STDOUT_FILENO) != 0))
            return declined("batch in colour of a terminal");
        if (color == ColorMode::unsaid) color = ColorMode::never;
        if (!invocation->netns.empty()) {
            const auto entered = enter_netns(invocation->netns);
            if (!entered) return declined("-netns: " + entered.error().reason);
        }
        return run_batch({tool, program, words, *invocation, names}, std::move(input));
    }
    const auto command = parse_command(*invocation, words, names, link_kinds());
    if (!command) return std::unexpected(command.error());
    const auto status = run_command(*command, names, environment.colors);
    if (!status) return std::unexpected(status.error());
    return BatchResult{.status = *status, .fallback = {}};
}

}  // namespace nlsh
