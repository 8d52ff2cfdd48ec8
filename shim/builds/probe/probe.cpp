#include "shim/builds/probe/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <utility>

#include "backend/descriptor.h"
#include "backend/read_file.h"
#include "parser/ip/command.h"
#include "parser/text.h"
#include "shim/builds/probe/probe_lines.h"
#include "shim/builds/probe/probe_rows.h"
#include "shim/netns/netns.h"
#include "shim/process/captured.h"

namespace nlsh {
namespace {

constexpr std::chrono::seconds probe_limit{120};
constexpr std::string_view separator = "\001\n";
// The recordings have a file for the batch (compat-tests/replay/probes).
constexpr std::string_view functions = R"(exec </dev/null
ip() {
    case $* in
        '-force -batch /run/late') printf 'link show lo\nlink show nosuch\n' | "$IP" -force -batch - ;;
        *) "$IP" "$@" ;;
    esac
}
bridge() { "$BRIDGE" "$@"; }
)";

struct Paths {
    const std::string& ip;
    const std::string& bridge;
};

std::string script_of(std::span<const std::string_view> commands, bool prepared) {
    std::string script(functions);
    if (prepared) {
        script += fmt::format("ip -force -batch - >/dev/null 2>&1 <<'E'\n{}E\n", probe_ip_batch);
        script +=
            fmt::format("bridge -force -batch - >/dev/null 2>&1 <<'E'\n{}E\n", probe_bridge_batch);
    }
    for (const std::string_view command : commands)
        script += fmt::format("printf '^'; {} 2>&1; printf 'status %d\\n\\001\\n' $?\n", command);
    return script;
}

// One answer for each command; fewer if the shell ended early.
std::vector<std::string> run_all(const Paths& paths, std::span<const std::string_view> commands,
                                 bool prepared) {
    const Descriptor netns = fresh_netns();
    std::vector<std::string> answers;
    if (!netns) return answers;
    // A program that hangs is none that is known.
    ShellRun shell{
        .line = R"("$IP" -V && "$BRIDGE" -V && echo answered)",
        .environment = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "NLSH_DISABLE=1", "LC_ALL=C",
                        "TERM=dumb", "IP=" + paths.ip, "BRIDGE=" + paths.bridge},
        .directory = "/",
        .netns = netns.get(),
        .limit = quick_limit};
    const auto versions = run_captured(shell);
    if (!versions || !versions->output.ends_with("answered\n")) return answers;
    shell.line = script_of(commands, prepared);
    shell.limit = probe_limit;
    const auto run = run_captured(shell);
    if (!run) return answers;
    std::string_view rest = run->output;
    for (size_t end; (end = rest.find(separator)) != rest.npos;) {
        answers.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end + separator.size());
    }
    return answers;
}

// Runs each command once, even if several rows need it.
std::vector<std::string> answers_of_rows(const Paths& paths) {
    std::vector<std::string_view> commands;
    for (const ProbeRow& row : probe_rows())
        if (!row.constant && std::ranges::find(commands, row.command) == commands.end())
            commands.push_back(row.command);
    const std::vector<std::string> said = run_all(paths, commands, true);
    const std::string files[] = {read_file(paths.ip), read_file(paths.bridge)};
    std::vector<std::string> answers;
    for (const ProbeRow& row : probe_rows()) {
        if (row.constant) {
            const bool there = files[static_cast<size_t>(row.tool)].contains(row.command);
            answers.emplace_back(there ? "status there" : "status missing");
            continue;
        }
        const auto place =
            static_cast<size_t>(std::ranges::find(commands, row.command) - commands.begin());
        answers.push_back(place < said.size() ? said[place] : std::string());
    }
    return answers;
}

bool contains_one(const std::string& text, std::string_view texts) {
    return std::ranges::any_of(split(texts, '\t'),
                               [&](std::string_view each) { return text.contains(each); });
}

Traits::Answer answer_of(const ProbeRow& row, const std::string& text) {
    using enum Traits::Answer;
    if (!text.contains(row.about)) return unknown;
    if (row.constant) return text.contains("there") ? yes : no;
    const bool for_yes =
        row.yes.empty() ? !contains_one(text, row.no) : contains_one(text, row.yes);
    const bool for_no = row.no.empty() ? !for_yes : contains_one(text, row.no);
    if (for_yes == for_no) return unknown;
    return for_yes ? yes : no;
}

// Unknown unless everything goes to stderr.
std::string fdb_usage_of(const Paths& paths) {
    constexpr std::string_view commands[] = {"bridge fdb help", "{ bridge fdb help 2>/dev/null; }"};
    constexpr std::string_view status = "status 255\n";
    const std::vector<std::string> said = run_all(paths, commands, false);
    if (said.size() != std::size(commands) || !said[0].ends_with(status) ||
        said[1] != fmt::format("^{}", status))
        return {};
    return said[0].substr(1, said[0].size() - 1 - status.size());
}

// Whether an object has any native row; objects without need no verdict.
bool has_native(const Verbs& verbs, ParseWords parse) {
    return parse != nullptr || std::ranges::any_of(verbs.rows, [](const Verb& verb) {
               return has_native(verb.verbs, verb.parse);
           });
}

void forget(Probed& found, Trait trait) {
    if (found.traits[trait] == Traits::Answer::unknown) return;
    found.traits.forget(trait);
    found.undecided.push_back(trait);
}

}  // namespace

Probed judge(Tool tool, const std::vector<std::string>& answers) {
    std::map<Trait, Traits::Answer> found;
    size_t place = 0;
    for (const ProbeRow& row : probe_rows()) {
        const std::string& text = answers.at(place++);
        if (row.tool != tool) continue;
        const Traits::Answer answer = answer_of(row, text);
        const auto [known, first] = found.try_emplace(row.trait, answer);
        if (!first && known->second != answer) known->second = Traits::Answer::unknown;
    }
    Probed probed;
    for (const auto& [trait, answer] : found) {
        if (answer == Traits::Answer::unknown) {
            probed.undecided.push_back(trait);
        } else {
            probed.traits.set(trait, answer == Traits::Answer::yes);
        }
    }
    return probed;
}

void complete(std::array<Probed, 2>& tools) {
    const Traits asked[] = {tools[0].traits, tools[1].traits};
    for (const size_t tool : {size_t{0}, size_t{1}}) {
        const Traits& other = asked[1 - tool];
        for (const TraitRow& row : trait_rows) {
            if (asked[tool][row.trait] != Traits::Answer::unknown ||
                other[row.trait] == Traits::Answer::unknown ||
                std::ranges::count(tools[tool].undecided, row.trait) > 0)
                continue;
            tools[tool].traits.set(row.trait, other.has(row.trait));
        }
    }
}

std::optional<ProbedTools> probe(std::string ip, std::string bridge) {
    ProbedTools tools{.ip = std::move(ip), .bridge = std::move(bridge)};
    const Paths paths{tools.ip, tools.bridge};
    const Descriptor tried = fresh_netns();
    if (!tried) return {};
    auto lines = std::async(std::launch::async, [&] {
        std::vector<std::string_view> commands;
        for (const ProbeLine& line : probe_lines())
            commands.push_back(line.command);
        return run_all(paths, commands, false);
    });
    const std::vector<std::string> answers = answers_of_rows(paths);
    for (const Tool tool : {Tool::ip, Tool::bridge})
        tools.found[static_cast<size_t>(tool)] = judge(tool, answers);
    complete(tools.found);
    const Traits traits[] = {tools.found[0].traits, tools.found[1].traits};
    tools.found[static_cast<size_t>(Tool::bridge)].fdb_usage = fdb_usage_of(paths);
    const auto [agreed, doubted] = compare_lines(traits, lines.get());
    for (const auto& [tool, trait] : doubted)
        forget(tools.found[static_cast<size_t>(tool)], trait);
    for (const Tool tool : {Tool::ip, Tool::bridge}) {
        Probed& found = tools.found[static_cast<size_t>(tool)];
        found.iproute2 = agreed.contains({tool, ""});
        size_t place = 0;
        for (const Object* object : objects_of(tool)) {
            const bool there = !found.traits.lacks(object->since);
            if (there && has_native(object->verbs, object->parse) &&
                !agreed.contains({tool, std::string(object->name)})) {
                found.traits.leave(place);
                found.left.emplace_back(object->name);
            }
            ++place;
        }
    }
    return tools;
}

}  // namespace nlsh
