#include "shim/replay/made_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "backend/objects/link/kinds/kinds.h"
#include "backend/read_file.h"
#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/text.h"
#include "shim/builds/proven.h"
#include "shim/replay/items.h"

namespace nlsh {
namespace {

using WordList = std::vector<std::string>;

WordList words_of(std::string_view tape) {
    WordList words;
    each_item(tape, [&](const item& each) {
        if (each.kind == 'a') words = split_at_nul(content(each));
    });
    return words;
}

std::string text_of(const WordList& words) {
    std::string text;
    for (const std::string& word : words)
        text.append(word).append(1, '\0');
    return text;
}

class Maker {
  public:
    Maker(const Corpus& corpus, Tool tool, const Traits& traits)
        : corpus_(corpus),
          tool_(tool),
          traits_(traits),
          names_(NameTables::built_in(traits)),
          known_(corpus.words().begin(), corpus.words().end()) {
        std::ranges::sort(known_);
        std::unordered_set<std::string_view> units;
        for (const RecordedLine& line : corpus.lines())
            units.insert(line.units.begin(), line.units.end());
        for (const std::string_view unit : units)
            recorded_.insert(in_any_mode(unit));
        made_ = recorded_;
        for (const RecordedLine& line : corpus.lines())
            find_prologue(line);
    }

    std::vector<MadeLine> lines() {
        for (const RecordedLine& line : corpus_.lines()) {
            if (!line.probe.empty()) continue;
            for (const size_t tape : line.tapes)
                use(line, corpus_.tape(tape));
        }
        for (const auto& [key, short_line] : short_lines_)
            lines_.push_back(line_in_short(key.second, short_line));
        // Short ones first: the rows that they have aren't looked for in long ones.
        for (size_t size = 0; size <= longest; ++size)
            for (const WordList& words : sources_)
                if (words.size() == size) refuse(words);
        return std::move(lines_);
    }

  private:
    // A recorded line with one of its words in short.
    struct Short {
        const RecordedLine* line;
        std::string_view tape;
        WordList words;
    };

    static uint64_t in_any_mode(std::string_view unit) {
        const std::string any = in_all_modes(unit);
        return unit_of(any.empty() ? unit : any);
    }

    std::optional<Command> parsed(const WordList& words) const {
        auto command = parse_command(tool_, Words(words).subspan(1), names_, link_kinds(), traits_);
        return command ? std::optional(*std::move(command)) : std::nullopt;
    }

    // What was asked before words of an object were refused. Of so many requests, the shortest.
    void find_prologue(const RecordedLine& line) {
        if (line.tapes.size() != 1) return;
        for (const std::string_view unit : line.units) {
            const size_t form = unit.find("refused| !");
            if (form == unit.npos || unit.contains(" ~")) continue;
            std::string prologue = prologue_in(corpus_.tape(line.tapes.front()));
            int requests = 0;
            each_item(prologue, [&](const item& each) { requests += each.kind == 'S'; });
            auto& known = prologues_[std::string(unit.substr(0, unit.find('|')))];
            const auto [place, is_new] = known.try_emplace({line.build, -requests}, prologue);
            if (!is_new && prologue.size() < place->second.size())
                place->second = std::move(prologue);
        }
    }

    void use(const RecordedLine& line, std::string_view tape) {
        WordList words = words_of(tape);
        if (words.size() < 2 || words.front() != (tool_ == Tool::ip ? "ip" : "bridge")) return;
        // Other options change how it is printed, and not how words are read.
        if (words[1].starts_with("-") && words[1] != "-4" && words[1] != "-6") return;
        if (line.tapes.size() == 1) shorten(line, tape, words);
        if (words.size() <= longest) sources_.push_back(std::move(words));
    }

    void shorten(const RecordedLine& line, std::string_view tape, const WordList& words) {
        const auto command =
            std::ranges::find_if(line.units, [](auto unit) { return unit.ends_with("| ."); });
        if (command == line.units.end()) return;
        const std::string_view scope = command->substr(0, command->size() - 2);
        for (size_t place = 1; place < std::min<size_t>(words.size(), 3); ++place) {
            if (!std::ranges::binary_search(known_, words[place])) continue;
            for (size_t size = 1; size < std::min(words[place].size(), short_end); ++size) {
                WordList in_short = words;
                in_short[place].resize(size);
                const std::string unit = fmt::format("{} ~{}", scope, in_short[place]);
                if (!recorded_.contains(in_any_mode(unit)))
                    take_shortest(unit, {&line, tape, std::move(in_short)});
            }
        }
    }

    void take_shortest(const std::string& unit, Short found) {
        const auto known = short_lines_.find({found.line->build, unit});
        if (known != short_lines_.end() && known->second.tape.size() <= found.tape.size()) return;
        const auto command = parsed(found.words);
        if (!command || !unit.starts_with(scope_of(command->options, command->summary) + " ~"))
            return;
        short_lines_.insert_or_assign({found.line->build, unit}, std::move(found));
    }

    static MadeLine line_in_short(const std::string& unit, const Short& found) {
        MadeLine made{.label = "made " + unit,
                      .build = found.line->build,
                      .units = {unit},
                      .traits = found.line->traits,
                      .tape = {}};
        each_item(found.tape, [&](const item& each) {
            append_item(made.tape, each.kind,
                        each.kind == 'a' ? text_of(found.words) : content(each));
        });
        return made;
    }

    void refuse(const WordList& words) {
        // After the tool, the object and the verb, each of which is there.
        for (size_t place = 2; place <= words.size(); ++place) {
            WordList bad(words.begin(), words.begin() + static_cast<ptrdiff_t>(place));
            if (!seen_.insert(text_of(bad)).second) continue;
            take_refusal(bad);
            if (place == 2 && words.size() > 2) continue;
            bad.insert(bad.end(), {bad_word, worse_word});
            take_refusal(bad);
        }
    }

    void take_refusal(const WordList& words) {
        const auto command = parsed(words);
        if (!command || !command->request.is<RefusedCommand>()) return;
        const auto& refused = command->request.get<RefusedCommand>();
        if (!refused.lookups.empty()) return;
        // The kernel has a part in these.
        if (refused.message.contains(" failed: ") || refused.message.contains(" does not exist"))
            return;
        const Words given = Words(words).subspan(1);
        std::vector<Row> rows = rows_of_beginning(given, *command, known_);
        if (rows.empty()) rows = rows_of(given, *command, known_);
        // Nobody has recorded the form of this object.
        if (!recorded_.contains(in_any_mode(rows.front().unit))) return;
        std::vector<std::string> units;
        bool is_new = false;
        for (Row& row : rows) {
            const bool counts =
                std::ranges::binary_search(known_, row.name) || row.unit.ends_with(" ...");
            is_new |= counts && made_.insert(in_any_mode(row.unit)).second;
            units.push_back(std::move(row.unit));
        }
        if (!is_new) return;
        const uint32_t status = static_cast<uint32_t>(refused.status) << 8U;  // as wait(2) has it
        std::string tape;
        append_item(tape, 'a', text_of(words));
        append_item(tape, 'x', refused.message);
        append_item(tape, 's', {reinterpret_cast<const char*>(&status), sizeof status});
        const std::string scope = scope_of({.tool = tool_}, command->summary);
        for (const auto& [key, prologue] : prologues_[scope.substr(0, scope.size() - 1)])
            lines_.push_back({.label = fmt::format("made {}", fmt::join(words, " ")),
                              .build = key.first,
                              .units = units,
                              .traits = {},
                              .tape = tape + prologue});
    }

    static std::string prologue_in(std::string_view tape) {
        constexpr std::string_view of_its_own = "axoseptm";
        std::string prologue;
        each_item(tape, [&](const item& each) {
            if (!of_its_own.contains(each.kind)) append_item(prologue, each.kind, content(each));
        });
        return prologue;
    }

    static constexpr size_t longest = 7;    // words of a line that is made worse
    static constexpr size_t short_end = 4;  // people type fewer letters
    static constexpr const char *bad_word = "v0/0", *worse_word = "v9/9";

    const Corpus& corpus_;
    Tool tool_;
    Traits traits_;
    NameTables names_;
    std::vector<std::string> known_;
    std::unordered_set<uint64_t> recorded_, made_;  // units
    std::unordered_set<std::string> seen_;          // words
    std::vector<WordList> sources_;
    // By objects, then by builds and numbers of requests: the last is run first (tally.h).
    std::map<std::string, std::map<std::pair<size_t, int>, std::string>> prologues_;
    std::map<std::pair<size_t, std::string>, Short> short_lines_;  // by builds and units
    std::vector<MadeLine> lines_;
};

}  // namespace

std::vector<MadeLine> made_lines(const Corpus& corpus, Tool tool, const Traits& traits) {
    return Maker(corpus, tool, traits).lines();
}

}  // namespace nlsh
