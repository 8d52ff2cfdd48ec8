#include "shim/replay/tally.h"

#include <algorithm>
#include <map>
#include <utility>

namespace nlsh {
namespace {

// Of its processes what tells most of the build, if all were run.
Replayed::Verdict verdict_of(const RecordedLine& line, const std::vector<Replayed>& answers) {
    using Verdict = Replayed::Verdict;
    Verdict most = line.tapes.empty() ? Verdict::not_run : Verdict::same;
    for (const size_t tape : line.tapes) {
        if (answers[tape].verdict == Verdict::not_run) return Verdict::not_run;
        most = std::max(most, answers[tape].verdict);
    }
    return most;
}

constexpr std::string_view of_namespaces = "ip netns ";

// What a line that differs contradicts. What an option changes is in all others' modes. How a
// namespace is entered (-n, -net, -netns, netns exec), made or removed says nothing of what else
// the line runs.
bool is_contradicted(std::string_view unit, const RecordedLine& by, Replayed::Verdict verdict) {
    const bool is_option = unit.contains(" | ~-");
    if (verdict == Replayed::Verdict::entered) return unit.contains(" | ~-n");
    const bool has_namespaces = std::ranges::any_of(
        by.units, [](std::string_view each) { return each.starts_with(of_namespaces); });
    return !is_option && (!has_namespaces || unit.starts_with(of_namespaces));
}

}  // namespace

Tally::Tally(const Corpus& corpus, Tool tool, std::vector<TraitNames> alike)
    : corpus_(corpus), prefix_(tool == Tool::ip ? "ip " : "bridge "), alike_(std::move(alike)) {
    std::map<std::string_view, Line> lines;
    for (const RecordedLine& line : corpus.lines()) {
        if (!line.probe.empty()) continue;
        Line& recorded = lines[line.label];
        for (const std::string_view unit : line.units) {
            if (!unit.starts_with(prefix_)) continue;
            units_.try_emplace(unit);
            recorded.ours = true;
        }
        if (is_comparable(line)) recorded.left.push_back(&line);
    }
    for (auto& [label, line] : lines)
        if (line.ours) lines_.push_back(std::move(line));
}

bool Tally::is_comparable(const RecordedLine& line) const {
    return std::ranges::all_of(
        line.traits, [&](std::string_view trait) { return alike_[line.build].contains(trait); });
}

void Tally::advance(const std::vector<Replayed>& answers, std::set<uint32_t>& wanted) {
    for (Line& line : lines_) {
        while (!line.left.empty()) {
            const RecordedLine& newest = *line.left.back();
            if (!std::exchange(line.asked, true)) {
                wanted.insert(newest.tapes.begin(), newest.tapes.end());
                break;
            }
            const Verdict verdict = verdict_of(newest, answers);
            line.asked = false;
            line.left.pop_back();
            if (verdict == Verdict::same) {
                settle(newest, verdict);
                line = {};
            } else if (verdict != Verdict::not_run && line.different == nullptr) {
                line.different = &newest;
                line.verdict = verdict;
            }
            if (line.left.empty() && line.different != nullptr)
                settle(*line.different, line.verdict);
        }
    }
}

void Tally::settle(const RecordedLine& judged, Verdict verdict) {
    const bool same = verdict == Verdict::same;
    for (const std::string_view unit : judged.units) {
        if (!unit.starts_with(prefix_)) continue;
        Seen& seen = units_[unit];
        seen.same |= same;
        seen.different |= !same && is_contradicted(unit, judged, verdict);
    }
    ++counts_.lines;
    ++(same ? counts_.same : counts_.different);
}

Qualified::Counts Tally::counts() const {
    Qualified::Counts counts = counts_;
    for (const auto& [unit, seen] : units_) {
        size_t& counter = seen.different ? counts.contradicted
                          : seen.same    ? counts.proven
                                         : counts.unproven;
        ++counter;
    }
    return counts;
}

// Words and errors, whose mode doesn't matter if none contradicts them.
std::unordered_map<std::string, Tally::Seen> Tally::in_any_mode() const {
    std::unordered_map<std::string, Seen> found;
    for (const auto& [unit, seen] : units_) {
        const std::string all = in_all_modes(unit);
        if (all.empty()) continue;
        found[all].same |= seen.same;
        found[all].different |= seen.different;
    }
    return found;
}

Proven Tally::proven() const {
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
    return {std::move(units), std::move(words), std::move(left)};
}

}  // namespace nlsh
