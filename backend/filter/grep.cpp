#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "backend/filter/filter.h"
#include "backend/filter/lines.h"
#include "backend/filter/perl.h"
#include "backend/filter/regex.h"

namespace nlsh {
namespace {

bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Span {
    size_t begin, end;
};

class Searcher {
  public:
    explicit Searcher(const Grep& grep) : grep_(grep) {
        if (grep.patterns[0].perl) perl_.emplace(*grep.patterns[0].perl);
        for (const auto& pattern : grep.patterns)
            regexes_.push_back(std::make_unique<Regex>(pattern, grep.whole_line));
    }

    // The first match of the first pattern that has one.
    std::optional<Span> find(std::string_view line, size_t from) {
        if (perl_) {
            const auto match = perl_->find(line, from);
            gave_up_ = gave_up_ || perl_->gave_up();
            return match ? std::optional(Span{match->begin, match->end}) : std::nullopt;
        }
        for (const auto& regex : regexes_) {
            if (auto span = find_one(*regex, line, from)) return span;
        }
        return std::nullopt;
    }

    bool has_given_up() const { return gave_up_; }

  private:
    std::optional<Span> find_one(const Regex& regex, std::string_view line, size_t from) const {
        Groups groups;
        while (from <= line.size() && regex.find(line, from, groups)) {
            Span span{static_cast<size_t>(groups[0].rm_so), static_cast<size_t>(groups[0].rm_eo)};
            if (!grep_.whole_word || stands_alone(line, span)) return span;
            from = span.begin + 1;
        }
        return std::nullopt;
    }
    static bool stands_alone(std::string_view line, Span span) {
        bool before = span.begin > 0 && is_word_byte(line[span.begin - 1]);
        bool after = span.end < line.size() && is_word_byte(line[span.end]);
        return !before && !after;
    }

    const Grep& grep_;
    std::optional<PerlMatcher> perl_;
    bool gave_up_ = false;
    std::vector<std::unique_ptr<Regex>> regexes_;
};

// Prints each match on its own line.
void print_matches(Searcher& searcher, std::string_view line, std::string_view prefix,
                   std::string& text) {
    size_t from = 0;
    while (from <= line.size()) {
        auto span = searcher.find(line, from);
        if (!span) break;
        if (span->end == span->begin) {
            from = span->end + 1;
            continue;
        }
        text.append(prefix).append(line.substr(span->begin, span->end - span->begin)).append("\n");
        from = span->end;
    }
}

}  // namespace

int run_filter(const Grep& grep, std::string_view input, Output& out) {
    Searcher searcher(grep);
    Lines lines(input);
    std::string text;
    uint64_t number = 0, selected = 0;
    const std::string_view name = grep.with_filename ? "(standard input):" : "";
    while (auto line = lines.next()) {
        number++;
        const bool found = searcher.find(*line, 0).has_value();
        if (searcher.has_given_up()) return gave_up;
        if (found == grep.invert) continue;
        selected++;
        if (grep.quiet) return 0;
        if (!grep.count) {
            std::string prefix(name);
            if (grep.line_numbers) prefix += fmt::format("{}:", number);
            if (!grep.only_matching)
                text.append(prefix).append(*line).append("\n");
            else if (!grep.invert)
                print_matches(searcher, *line, prefix, text);
            if (searcher.has_given_up()) return gave_up;
        }
        if (grep.limit && selected == *grep.limit) break;
    }
    if (grep.count && !grep.quiet) text = fmt::format("{}{}\n", name, selected);
    if (!text.empty()) out.write(text);
    return selected > 0 ? 0 : 1;
}

}  // namespace nlsh
