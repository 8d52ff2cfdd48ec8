#include "parser/ip/batch.h"

#include <algorithm>
#include <array>

#include "parser/ip/arguments.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// find_first_of() would make a call for each character.
constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
constexpr size_t most_words = 500;  // the real one's limit is 511

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

std::string_view verb_of(const BatchLine& line) {
    return line.words.size() > 1 ? std::string_view(line.words[1]) : std::string_view();
}

bool is_verb(std::string_view verb, std::initializer_list<std::string_view> verbs) {
    return std::ranges::any_of(verbs, [&](std::string_view each) { return matches(verb, each); });
}

bool is_link(const BatchLine& line) {
    return !line.words.empty() && matches(line.words[0], "link");
}

bool shows_addresses(const BatchLine& line) {
    return !line.words.empty() && matches(line.words[0], "address") &&
           !is_verb(verb_of(line), {"add", "change", "chg", "replace", "delete"});
}

bool has_word(const BatchLine& line, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) {
        return std::ranges::find(line.words, word) != line.words.end();
    });
}

bool gives_name(const BatchLine& line) {
    return is_link(line) && (is_verb(verb_of(line), {"add", "change", "replace", "property"}) ||
                             has_word(line, {"name"}));
}

// The first letters of a line tell that it neither makes nor shows links or addresses and takes no
// names away. No more of it matters here.
bool concerns_others(std::string_view line) {
    const auto start = std::ranges::find_if_not(line, is_blank);
    if (start == line.end() || line.ends_with('\\')) return false;
    return !std::string_view("lat\"'#").contains(*start) &&
           !std::string_view(start, line.end()).starts_with("net");
}

bool deletes_link(const BatchLine& line) {
    return is_link(line) && is_verb(verb_of(line), {"delete"});
}

// With a deleted link the names of others may go, too: its veth peer's, those of links stacked on
// it, or of the veths of a namespace. The real one forgets only the link that is named.
bool takes_others_away(const BatchLine& line) {
    constexpr std::string_view objects[] = {"link", "tunnel", "tuntap", "tap", "l2tp", "netns"};
    if (line.words.empty()) return false;
    const bool object =
        std::ranges::any_of(objects, [&](auto name) { return matches(line.words[0], name); });
    const bool property = is_verb(verb_of(line), {"property"}) && line.words.size() > 2;
    return object && is_verb(property ? line.words[2] : verb_of(line), {"delete"});
}

}  // namespace

// The name of a deleted veth's peer goes as well, and those of links stacked on a deleted one.
bool takes_name_away(const BatchLine& line) {
    return is_link(line) &&
           (is_verb(verb_of(line), {"delete"}) || has_word(line, {"name", "netns"}));
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

bool leaves_state(const BatchLine& line) {
    if (!is_link(line)) return false;
    const std::string_view verb = verb_of(line);
    // `s` is short for set and `l` for list. Whatever isn't surely a change counts as a show.
    return !is_verb(verb, {"add", "set", "change", "replace", "delete", "property"});
}

size_t independent_part(std::string_view text) {
    std::optional<size_t> links_shown;
    std::optional<size_t> names_learnt;  // by any line but a deletion, for all that is known here
    size_t limit = text.size();
    bool name_gone = false;
    bool others_gone = false;  // names that may have been learnt
    for (size_t at = 0; at < text.size();) {
        const size_t newline = std::min(text.find('\n', at), text.size());
        if (concerns_others(text.substr(at, newline - at))) {
            if (others_gone) return *names_learnt;
            if (!names_learnt) names_learnt = at;
            at = newline + 1;
            continue;
        }
        const auto line = read_batch_line(text.substr(at), true);
        if (!line || !*line) break;  // the real one ends here, too
        const bool words = !(*line)->words.empty();
        if (words && others_gone) return *names_learnt;
        if (words && !names_learnt && !deletes_link(**line)) names_learnt = at;
        others_gone = names_learnt && takes_others_away(**line);
        if (name_gone && gives_name(**line)) return 0;
        if (shows_addresses(**line) && links_shown) limit = std::min(limit, *links_shown);
        if (!links_shown && leaves_state(**line)) links_shown = at;
        name_gone = name_gone || takes_name_away(**line);
        at += (*line)->size;
    }
    return limit;
}

}  // namespace nlsh
