#include "shim/builds/probe/probe_lines.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "backend/context.h"
#include "backend/names/files.h"
#include "backend/net/own_thread.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

// What is said of objects and options that there aren't, which must be as known, or the program
// isn't iproute2; and links that the objects' lines use.
constexpr ProbeLine first_lines[] = {
    "ip bogus",
    "ip -bogus link",
    "bridge bogus",
    "bridge -bogus link",
    "ip link set dev lo up",
    "ip link add tw0 address 02:00:00:00:01:10 type veth peer name tw1 address 02:00:00:00:01:11",
    "ip link add twb address 02:00:00:00:01:12 type bridge",
    "ip link set dev tw1 master twb",
    "ip link set dev tw0 mtu 1400 txqueuelen 100 alias other",
};

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    while (!line.empty()) {
        const size_t end = std::min(line.find(' '), line.size());
        words.emplace_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

// The output in the form of the build's answers (probe_rows.h); nothing: not native.
std::optional<std::string> run_here(Session& session, const Command& command,
                                    const NameTables& names) {
    StringOutput out, err;
    Context context{.session = session, .names = names, .out = &out, .err = &err};
    const int status = run(context, command);
    if (context.fallback && !context.committed) return {};
    return fmt::format("^{}{}status {}\n", err.text, out.text, status);
}

class Comparison {
  public:
    Comparison(std::span<const Traits, 2> traits, const std::vector<std::string>& said)
        : traits_(traits), said_(said) {}

    void run() {
        size_t place = 0;
        for (const ProbeLine& line : probe_lines()) {
            if (place < said_.size()) compare(line, said_[place]);
            ++place;
        }
    }
    Compared found() const {
        Compared compared{.agreed = {}, .doubted = doubted_};
        for (const auto& [name, seen] : seen_)
            if (seen.same && !seen.different) compared.agreed.insert(name);
        return compared;
    }

  private:
    std::string object_of(Tool tool, Words words) const {
        const auto invocation = parse_invocation(tool, words, traits_of(tool));
        if (!invocation || invocation->object >= words.size()) return {};
        const auto found = find_object(tool, traits_of(tool), words[invocation->object]);
        return found && *found != nullptr ? std::string((*found)->name) : std::string();
    }
    const Traits& traits_of(Tool tool) const { return traits_[static_cast<size_t>(tool)]; }

    void compare(const ProbeLine& line, const std::string& said) {
        const std::vector<std::string> all = words_of(line.command);
        const Tool tool = all[0] == "ip" ? Tool::ip : Tool::bridge;
        const Words words = Words(all).subspan(1);
        const Traits& traits = traits_of(tool);
        const NameTables names = NameFiles::on_demand([&traits] { return traits; });
        const auto command = parse_command(tool, words, names, link_kinds(), traits);
        const auto answer =
            command ? run_here(session_, *command, names) : std::optional<std::string>();
        if (!answer) return;
        if (*answer != said && line.doubted != Trait::always) {
            doubted_.emplace(tool, line.doubted);
            return;
        }
        Seen& seen = seen_[{tool, object_of(tool, words)}];
        (*answer == said ? seen.same : seen.different) = true;
    }

    std::span<const Traits, 2> traits_;
    const std::vector<std::string>& said_;
    Session session_;
    struct Seen {
        bool same = false;
        bool different = false;
    };
    std::map<ObjectName, Seen> seen_;
    std::set<std::pair<Tool, Trait>> doubted_;
};

}  // namespace

std::span<const ProbeLine> probe_lines() {
    static const std::vector<ProbeLine> lines = [] {
        std::vector<ProbeLine> all(std::begin(first_lines), std::end(first_lines));
        for (const Tool tool : {Tool::ip, Tool::bridge}) {
            const std::string_view name = tool == Tool::ip ? "ip " : "bridge ";
            const auto theirs = [&](const ProbeLine& line) {
                return line.command.starts_with(name);  // a monitor is both tools'
            };
            for (const Object* object : objects_of(tool))
                std::ranges::copy_if(object->probes, std::back_inserter(all), theirs);
        }
        return all;
    }();
    return lines;
}

Compared compare_lines(std::span<const Traits, 2> traits, const std::vector<std::string>& said) {
    Compared compared;
    run_on_own_thread([&] {
        if (unshare(CLONE_NEWNET) != 0) return;
        Comparison comparison(traits, said);
        comparison.run();
        compared = comparison.found();
    });
    return compared;
}

}  // namespace nlsh
