#include "shim/replay/qualify.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "backend/read_file.h"
#include "parser/ip/traits/trait_names.h"
#include "shim/builds/probe/probe.h"
#include "shim/builds/probe/probe_rows.h"
#include "shim/process/places.h"
#include "shim/replay/ask.h"
#include "shim/replay/corpus.h"

namespace nlsh {
namespace {

using Answers = std::vector<Replayed>;
using Verdict = Replayed::Verdict;

std::optional<Traits> traits_named(std::string_view build) {
    if (build == "5.10") return iproute2_5_10();
    if (build == "6.1") return iproute2_6_1();
    if (build == "6.15") return iproute2_6_15();
    if (build == "7.3") return iproute2_7_3();
    return {};
}

// As probe_rows.h has answers: of a recording that has all that the build asked, or else of the
// newest, which comes last.
std::unordered_map<std::string_view, std::string> answers_to_probes(const Corpus& corpus,
                                                                    const Answers& answers) {
    std::unordered_map<std::string_view, std::string> said;
    std::unordered_set<std::string_view> sure;
    for (const RecordedLine& line : corpus.lines()) {
        if (line.probe.empty() || line.tapes.size() != 1) continue;
        const Replayed& answer = answers[line.tapes.front()];
        if (answer.verdict == Verdict::not_run || !WIFEXITED(answer.status)) continue;
        const bool repeated = answer.asked_the_same;
        if (!repeated && sure.contains(line.probe)) continue;
        if (repeated) sure.insert(line.probe);
        said[line.probe] = fmt::format("^{}status {}\n", answer.said, WEXITSTATUS(answer.status));
    }
    return said;
}

Probed probed(Tool tool, const std::string& path, const Corpus& corpus, const Answers& answers) {
    const auto said = answers_to_probes(corpus, answers);
    const std::string file = read_file(path);
    std::vector<std::string> texts;
    for (const ProbeRow& row : probe_rows()) {
        if (row.constant) {
            texts.emplace_back(file.contains(row.command) ? "status there" : "status missing");
            continue;
        }
        const auto answer = said.find(row.command);
        texts.push_back(answer == said.end() ? std::string() : answer->second);
    }
    Probed found = judge(tool, texts);
    constexpr std::string_view status = "status 255\n";
    const auto usage = said.find("bridge fdb help");
    if (tool == Tool::bridge && usage != said.end() && usage->second.ends_with(status))
        found.fdb_usage = usage->second.substr(1, usage->second.size() - 1 - status.size());
    return found;
}

class Tally {
  public:
    Tally(const Corpus& corpus, const Answers& answers, Tool tool, const Traits& traits)
        : corpus_(corpus), answers_(answers), prefix_(tool == Tool::ip ? "ip " : "bridge ") {
        for (const std::string_view build : corpus.builds()) {
            const auto known = traits_named(build);
            alike_.emplace_back();
            for (uint8_t i = 0; known && i < static_cast<uint8_t>(Trait::count); ++i) {
                const auto trait = static_cast<Trait>(i);
                if (traits[trait] == (*known)[trait]) alike_.back().insert(trait_name(trait));
            }
        }
    }

    void count() {
        std::map<std::string_view, std::vector<const RecordedLine*>> lines;
        for (const RecordedLine& line : corpus_.lines())
            if (line.probe.empty()) lines[line.label].push_back(&line);
        for (const auto& [label, recorded] : lines)
            count(recorded);
    }

    Qualified::Counts counts() const {
        Qualified::Counts counts = counts_;
        for (const auto& [unit, seen] : units_) {
            size_t& counter = seen.different ? counts.contradicted
                              : seen.same    ? counts.proven
                                             : counts.unproven;
            ++counter;
        }
        return counts;
    }

    Proven proven(bool late) const {
        std::vector<uint64_t> units;
        std::vector<std::string> words, left;
        const auto anywhere = in_any_mode();
        for (const auto& [unit, seen] : anywhere)
            if (seen.same && !seen.different) units.push_back(unit_of(unit));
        for (const auto& [unit, seen] : units_) {
            const auto all = anywhere.find(in_all_modes(unit));
            const bool known = all != anywhere.end() && !all->second.different;
            if (seen.same && !seen.different && !known) units.push_back(unit_of(unit));
            if (seen.different && unit.ends_with(" ."))
                left.emplace_back(unit.substr(0, unit.size() - 2));
        }
        for (const std::string_view word : corpus_.words())
            words.emplace_back(word);
        return {std::move(units), std::move(words), std::move(left), late};
    }

  private:
    struct Seen {
        bool same = false, different = false;
    };

    // Words and errors, whose mode doesn't matter if none contradicts them.
    std::unordered_map<std::string, Seen> in_any_mode() const {
        std::unordered_map<std::string, Seen> found;
        for (const auto& [unit, seen] : units_) {
            const std::string all = in_all_modes(unit);
            if (all.empty()) continue;
            found[all].same |= seen.same;
            found[all].different |= seen.different;
        }
        return found;
    }

    // Nothing: not all of it was run.
    std::optional<bool> is_same(const RecordedLine& line) const {
        bool same = true, run = !line.tapes.empty();
        for (const size_t tape : line.tapes) {
            run = run && answers_[tape].verdict != Verdict::not_run;
            same = same && answers_[tape].verdict == Verdict::same;
        }
        return run ? std::optional(same) : std::nullopt;
    }

    // One line as several builds have run it. nlsh does the same for this build as for those whose
    // traits are alike; it is right if this build does what one of them does.
    void count(const std::vector<const RecordedLine*>& recorded) {
        const RecordedLine* repeated = nullptr;
        const RecordedLine* different = nullptr;
        bool ours = false;
        for (const RecordedLine* line : recorded) {
            const bool comparable = std::ranges::all_of(line->traits, [&](std::string_view trait) {
                return alike_[line->build].contains(trait);
            });
            const auto same = comparable ? is_same(*line) : std::nullopt;
            if (same) (*same ? repeated : different) = line;
            for (const std::string_view unit : line->units) {
                if (!unit.starts_with(prefix_)) continue;
                units_.try_emplace(unit);
                ours = true;
            }
        }
        const RecordedLine* judged = repeated != nullptr ? repeated : different;
        if (!ours || judged == nullptr) return;
        for (const std::string_view unit : judged->units) {
            if (!unit.starts_with(prefix_)) continue;
            if (repeated != nullptr) units_[unit].same = true;
            // What an option changes is in all others' modes.
            if (repeated == nullptr && !unit.contains(" | ~-")) units_[unit].different = true;
        }
        ++counts_.lines;
        ++(repeated != nullptr ? counts_.same : counts_.different);
    }

    const Corpus& corpus_;
    const Answers& answers_;
    std::string_view prefix_;
    std::vector<std::unordered_set<std::string_view>> alike_;  // traits, by the corpus's builds
    std::unordered_map<std::string_view, Seen> units_;
    Qualified::Counts counts_;
};

// Asked by a batch whose first line shows something, and whose second one fails. Not known: yes.
bool writes_late(const Corpus& corpus, const Answers& answers) {
    const auto said = answers_to_probes(corpus, answers);
    const auto batch = said.find("ip -force -batch /run/late");
    if (batch == said.end()) return true;
    const size_t shown = batch->second.find("1: lo:"), failed = batch->second.find("nosuch");
    return shown == std::string::npos || failed == std::string::npos || failed < shown;
}

// A line may have processes of both tools.
Answers merged(const Answers& one, const Answers& other) {
    Answers both = one;
    for (size_t i = 0; i < both.size() && i < other.size(); ++i)
        if (both[i].verdict == Verdict::not_run) both[i] = other[i];
    return both;
}

// What only the other tool's words tell: name tables are shared.
Traits completed(Traits traits, const Traits& other) {
    for (uint8_t i = 0; i < static_cast<uint8_t>(Trait::count); ++i) {
        const auto trait = static_cast<Trait>(i);
        if (traits[trait] == Traits::Answer::unknown && other[trait] != Traits::Answer::unknown)
            traits.set(trait, other.has(trait));
    }
    return traits;
}

Qualified qualified(Tool tool, Probed found, const Traits& traits, const Corpus& corpus,
                    const Answers& answers) {
    Tally tally(corpus, answers, tool, traits);
    tally.count();
    return {.profile = {.version = {},
                        .build = {},
                        .traits = found.traits,
                        .asked = true,
                        .undecided = std::move(found.undecided),
                        .fdb_usage = std::move(found.fdb_usage)},
            .proven = tally.proven(writes_late(corpus, answers)),
            .counts = tally.counts()};
}

}  // namespace

std::expected<Qualification, std::string> qualify(const std::string& ip, const std::string& bridge,
                                                  const std::function<void(double)>& done) {
    const auto corpus = Corpus::read(place_of("nlsh-replay.xz"));
    if (!corpus) return std::unexpected(corpus.error());
    std::atomic<size_t> count = 0;
    const auto progress = [&] {
        const size_t now = ++count;
        if (done && now % 64 == 0)
            done(static_cast<double>(now) / static_cast<double>(corpus->tapes()));
    };
    auto other = std::async(std::launch::async, [&] { return replay(bridge, *corpus, {}); });
    const auto of_ip = replay(ip, *corpus, progress);
    const auto of_bridge = other.get();
    if (!of_ip && !of_bridge) return std::unexpected(of_ip.error());
    const Answers none(corpus->tapes());
    const Answers all = merged(of_ip ? *of_ip : none, of_bridge ? *of_bridge : none);
    Qualification found;
    const Probed probes[] = {probed(Tool::ip, ip, *corpus, all),
                             probed(Tool::bridge, bridge, *corpus, all)};
    for (const size_t tool : {size_t{0}, size_t{1}})
        if (tool == 0 ? of_ip.has_value() : of_bridge.has_value())
            found.tools[tool] =
                qualified(static_cast<Tool>(tool), probes[tool],
                          completed(probes[tool].traits, probes[1 - tool].traits), *corpus, all);
    return found;
}

}  // namespace nlsh
