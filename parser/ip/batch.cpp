#include "parser/ip/batch.h"

#include <algorithm>

#include "parser/ip/command.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// find_first_of() would make a call for each character.
constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
constexpr size_t most_words = 500;  // iproute2's limit is 511

Parsed<std::vector<std::string>> split(std::string_view line) {
    constexpr size_t usual = 12;
    std::vector<std::string> words;
    words.reserve(usual);
    auto at = std::ranges::find_if_not(line, is_blank);
    while (at != line.end()) {
        if (*at == '"' || *at == '\'') {
            const auto quote = std::find(at + 1, line.end(), *at);
            if (quote == line.end()) return declined("batch: unterminated quote");
            words.emplace_back(at + 1, quote);
            at = quote + 1;
        } else {
            const auto end = std::find_if(at, line.end(), is_blank);
            words.emplace_back(at, end);
            at = end;
        }
        if (words.size() > most_words) return declined("batch: many words");
        at = std::find_if_not(at, line.end(), is_blank);
    }
    return words;
}

// For a verb that this iproute2 may lack: assume that it affects all later lines. (iproute2 refuses
// unknown verbs and remembers nothing of the line.)
constexpr BatchMemory anything{.shows_links = true,
                               .shows_addresses = true,
                               .names_link = true,
                               .renames_link = true,
                               .deletes_others = true};

BatchMemory memory_of(const Verbs& verbs, Arguments arguments) {
    if (verbs.rows.empty()) return {};
    const auto verb = take_verb(verbs, arguments);
    if (!verb) return anything;
    if (*verb == nullptr) return {};
    return (*verb)->verbs.rows.empty() ? (*verb)->is.memory : memory_of((*verb)->verbs, arguments);
}

BatchMemory memory_of(const BatchLine& line, Traits traits) {
    if (line.words.empty()) return {};
    const auto object = find_object(Tool::ip, traits, line.words[0]);
    if (!object) return anything;
    if (*object == nullptr) return {};
    return memory_of((*object)->verbs, Arguments(Words(line.words).subspan(1), traits));
}

bool remembers(const Verbs& verbs) {
    return std::ranges::any_of(verbs.rows, [](const Verb& verb) {
        return verb.is.memory != BatchMemory{} || remembers(verb.verbs);
    });
}

// Whether the line's object can affect later lines only through cached names.
bool concerns_others(std::string_view line, Traits traits) {
    const auto start = std::ranges::find_if_not(line, is_blank);
    if (line.ends_with('\\')) return false;
    const auto ends = [](char c) { return is_blank(c) || c == '#'; };
    const std::string_view word(start, std::find_if(start, line.end(), ends));
    const auto object = find_object(Tool::ip, traits, word);
    return object && *object != nullptr && !remembers((*object)->verbs);
}

bool has_word(const BatchLine& line, std::string_view word) {
    return std::ranges::find(line.words, word) != line.words.end();
}

}  // namespace

bool takes_name_away(const BatchMemory& memory, const BatchLine& line) {
    return memory.deletes_link ||
           (memory.renames_link && (has_word(line, "name") || has_word(line, "netns")));
}

Parsed<std::optional<BatchLine>> read_batch_line(std::string_view text, bool whole) {
    BatchLine line;
    std::string joined;
    std::string_view all;
    for (bool continued = true; continued;) {
        const size_t newline = text.find('\n', line.size);
        const bool ended = newline != text.npos;
        if (!ended && !whole) return std::nullopt;
        if (line.lines > 0 && line.size == text.size()) return declined("batch: no continuation");
        std::string_view part = text.substr(line.size, ended ? newline - line.size : text.npos);
        line.size += part.size() + (ended ? 1 : 0);
        ++line.lines;
        const size_t comment = part.find('#');
        part = part.substr(0, comment);
        continued = ended && comment == part.npos && part.ends_with('\\');
        if (continued) part.remove_suffix(1);
        if (line.lines == 1 && !continued) {
            all = part;
        } else {
            joined += part;
            all = joined;
        }
    }
    if (all.contains('\0')) return declined("batch: a zero byte");
    auto words = TRY(split(all));
    line.words = std::move(words);
    return line;
}

size_t independent_part(std::string_view text, Traits traits) {
    std::optional<size_t> links_shown;
    std::optional<size_t> names_learnt;  // every line except a deletion may cache names
    size_t limit = text.size();
    bool name_gone = false;
    bool others_gone = false;  // cached names may have gone
    for (size_t at = 0; at < text.size();) {
        const size_t newline = std::min(text.find('\n', at), text.size());
        if (concerns_others(text.substr(at, newline - at), traits)) {
            if (others_gone) return *names_learnt;
            if (!names_learnt) names_learnt = at;
            at = newline + 1;
            continue;
        }
        const auto line = read_batch_line(text.substr(at), true);
        if (!line || !*line) break;  // iproute2 stops here, too
        const BatchMemory memory = memory_of(**line, traits);
        const bool words = !(*line)->words.empty();
        if (words && others_gone) return *names_learnt;
        if (words && !names_learnt && !memory.deletes_link) names_learnt = at;
        others_gone = others_gone || (names_learnt && memory.deletes_others);
        const bool renames = memory.renames_link && has_word(**line, "name");
        if (name_gone && (memory.names_link || renames)) return 0;
        if (memory.shows_addresses && links_shown) limit = std::min(limit, *links_shown);
        if (!links_shown && memory.shows_links) links_shown = at;
        name_gone = name_gone || takes_name_away(memory, **line);
        at += (*line)->size;
    }
    return limit;
}

}  // namespace nlsh
