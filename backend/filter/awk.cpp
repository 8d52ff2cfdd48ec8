#include <algorithm>
#include <memory>
#include <vector>

#include "backend/filter/filter.h"
#include "backend/filter/lines.h"
#include "backend/filter/regex.h"

namespace nlsh {
namespace {

using Fields = std::vector<std::string_view>;

void split_blanks(std::string_view line, Fields& fields) {
    constexpr std::string_view blanks = " \t";
    for (size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
        size_t end = line.find_first_of(blanks, at);
        fields.push_back(line.substr(at, end - at));
        at = end == std::string_view::npos ? end : line.find_first_not_of(blanks, end);
    }
}

void split_at(std::string_view line, std::string_view separator, Fields& fields) {
    if (line.empty()) return;
    while (true) {
        size_t end = line.find(separator);
        fields.push_back(line.substr(0, end));
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + separator.size());
    }
}

// The pattern must match at least one byte.
void split_at(std::string_view line, const Regex& separator, Fields& fields) {
    if (line.empty()) return;
    size_t from = 0;
    Groups groups;
    while (separator.find(line, from, groups)) {
        const auto begin = static_cast<size_t>(groups[0].rm_so);
        fields.push_back(line.substr(from, begin - from));
        from = static_cast<size_t>(groups[0].rm_eo);
    }
    fields.push_back(line.substr(from));
}

class Run {
  public:
    explicit Run(const Awk& awk) : awk_(awk) {
        if (awk.separator_pattern) separator_ = std::make_unique<Regex>(*awk.separator_pattern);
        for (const auto& rule : awk.rules)
            for (const auto& all : rule.any)
                for (const auto& test : all)
                    regexes_.push_back(test.pattern ? std::make_unique<Regex>(*test.pattern)
                                                    : nullptr);
    }

    // Returns false at exit.
    bool line(std::string_view line) {
        line_ = line;
        number_++;
        fields_.clear();
        if (separator_)
            split_at(line, *separator_, fields_);
        else if (awk_.separator.empty())
            split_blanks(line, fields_);
        else
            split_at(line, awk_.separator, fields_);
        size_t regex = 0;
        for (const auto& rule : awk_.rules) {
            const size_t first = regex;
            for (const auto& all : rule.any)
                regex += all.size();
            if (!applies(rule, first)) continue;
            for (const auto& each : rule.prints)
                print(each);
            if (rule.exits) return false;
            if (rule.next) break;
        }
        return true;
    }

    std::string text;

  private:
    std::string value(const Awk::Item& item) const {
        using Kind = Awk::Item::Kind;
        const auto index = static_cast<size_t>(item.field);
        switch (item.kind) {
            case Kind::text:
                return item.text;
            case Kind::separator:
                return " ";
            case Kind::record:
                return std::to_string(number_);
            case Kind::field_count:
                return std::to_string(fields_.size());
            case Kind::last_field:
                return std::string(fields_.empty() ? line_ : fields_.back());
            case Kind::field:
                break;
        }
        if (index == 0) return std::string(line_);
        return index <= fields_.size() ? std::string(fields_[index - 1]) : std::string();
    }

    bool holds(const Awk::Test& test, const Regex* regex) const {
        using Operator = Awk::Test::Operator;
        const uint64_t number =
            test.subject.kind == Awk::Item::Kind::record ? number_ : fields_.size();
        switch (test.is) {
            case Operator::matches:
                return regex->matches(value(test.subject));
            case Operator::is_text:
                return value(test.subject) == test.text;
            case Operator::equal:
                return number == test.number;
            case Operator::less:
                return number < test.number;
            case Operator::greater:
                return number > test.number;
        }
        return false;
    }

    bool applies(const Awk::Rule& rule, size_t regex) const {
        for (const auto& all : rule.any) {
            const size_t first = regex;
            regex += all.size();
            bool every = true;
            for (size_t i = 0; every && i < all.size(); i++)
                every = holds(all[i], regexes_[first + i].get()) != all[i].negated;
            if (every) return true;
        }
        return rule.any.empty();
    }

    void print(const Awk::Print& print) {
        for (const auto& item : print.items)
            text += value(item);
        if (print.line) text += '\n';
    }

    const Awk& awk_;
    std::unique_ptr<Regex> separator_;
    std::vector<std::unique_ptr<Regex>> regexes_;  // one for each test, in order
    std::string_view line_;
    Fields fields_;
    uint64_t number_ = 0;
};

}  // namespace

int run_filter(const Awk& awk, std::string_view input, Output& out) {
    Run run(awk);
    Lines lines(input);
    for (auto line = lines.next(); line && run.line(*line);)
        line = lines.next();
    if (!run.text.empty()) out.write(run.text);
    return 0;
}

}  // namespace nlsh
