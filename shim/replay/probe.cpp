#include "shim/replay/probe.h"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "parser/text.h"

namespace nlsh {
namespace {

constexpr Tool ip = Tool::ip, bridge = Tool::bridge;
constexpr std::string_view usage = "Usage:";

// A word that the usage text of newer builds has.
constexpr ProbeRow in_help(Tool tool, std::string_view command, std::string_view word) {
    return {.tool = tool, .command = command, .about = usage, .yes = word};
}

std::vector<ProbeRow> rows_of_traits() {
    std::vector<ProbeRow> rows;
    const auto add = [&](Trait trait, std::initializer_list<ProbeRow> probes) {
        for (ProbeRow row : probes) {
            row.trait = trait;
            rows.push_back(row);
        }
    };
#define NLSH_TRAIT(NAME, SINCE, ...) add(Trait::NAME, {__VA_ARGS__});
#include "parser/ip/traits/traits.def"
#undef NLSH_TRAIT
    return rows;
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

}  // namespace

std::span<const ProbeRow> probe_rows() {
    static const std::vector<ProbeRow> rows = rows_of_traits();
    return rows;
}

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

}  // namespace nlsh
