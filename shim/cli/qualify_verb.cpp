#include "shim/cli/qualify_verb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>

#include "shim/lines/progress.h"
#include "shim/log/message.h"
#include "shim/replay/qualify_builds.h"

namespace nlsh {
namespace {

std::string counts_of(const char* name, const std::optional<Qualified>& tool) {
    if (!tool || tool->counts.same == 0)
        return fmt::format(
            "{}: it isn't an iproute2 that nlsh can tell anything of: all of it falls back\n",
            name);
    const Qualified::Counts& counts = tool->counts;
    std::string text = fmt::format(
        "{}: {} lines as recorded, {} not; rows: {} proven, {} contradicted, {} unproven\n", name,
        counts.same, counts.different, counts.proven, counts.contradicted, counts.unproven);
    constexpr size_t shown_max = 10;
    const auto& left = tool->proven.left();
    for (size_t i = 0; i < left.size() && i < shown_max; ++i)
        fmt::format_to(std::back_inserter(text), "  left to it: {}\n", left[i]);
    if (left.size() > shown_max)
        fmt::format_to(std::back_inserter(text), "  … and {} more\n", left.size() - shown_max);
    return text;
}

}  // namespace

int qualify_and_say(const QualifyCommand& command) {
    const bool quiet = command.quiet;
    if (command.if_needed && !qualification_needed()) return 0;
    Progress progress(quiet ? -1 : STDERR_FILENO, getenv("TERM"));
    constexpr double whole = 1000;
    const auto found = qualify_builds([&](double share) {
        progress.at(
            {.done = static_cast<size_t>(share * whole), .total = static_cast<size_t>(whole)});
    });
    progress.hide();
    if (!found) {
        if (!quiet) say("nlsh qualify: {}\n", found.error());
        return 1;
    }
    if (quiet) return 0;
    return print(counts_of("ip", found->tools[0]) + counts_of("bridge", found->tools[1]));
}

}  // namespace nlsh
