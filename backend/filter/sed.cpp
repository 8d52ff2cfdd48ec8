#include <memory>
#include <vector>

#include "backend/filter/filter.h"
#include "backend/filter/lines.h"
#include "backend/filter/regex.h"

namespace nlsh {
namespace {

struct Compiled {
    std::unique_ptr<Regex> address, pattern;
};

class SedRun {
  public:
    SedRun(const Sed& sed, std::string_view input) : sed_(sed), lines_(input) {
        for (const auto& command : sed.commands) {
            Compiled compiled;
            if (command.address.kind == SedAddress::Kind::pattern)
                compiled.address = std::make_unique<Regex>(command.address.pattern);
            if (command.kind == SedCommand::Kind::substitute)
                compiled.pattern = std::make_unique<Regex>(command.pattern);
            compiled_.push_back(std::move(compiled));
        }
    }
    std::string run();

  private:
    bool selected(const SedCommand& command, const Compiled& compiled) const;
    bool substitute(const SedCommand& command, const Regex& regex);
    void replace(const SedCommand& command, const Groups& groups, std::string& result) const;
    // A last line without a newline is printed without one.
    void print() {
        if (newline_missing_) text_ += '\n';
        text_ += space_;
        newline_missing_ = !lines_.complete();
        if (!newline_missing_) text_ += '\n';
    }

    const Sed& sed_;
    std::vector<Compiled> compiled_;
    Lines lines_;
    uint64_t number_ = 0;
    std::string space_, text_;
    bool newline_missing_ = false;
};

bool SedRun::selected(const SedCommand& command, const Compiled& compiled) const {
    bool result = true;
    switch (command.address.kind) {
        case SedAddress::Kind::none:
            break;
        case SedAddress::Kind::line:
            result = number_ == command.address.line;
            break;
        case SedAddress::Kind::last:
            result = !lines_.more();
            break;
        case SedAddress::Kind::pattern:
            result = compiled.address->matches(space_);
            break;
    }
    return result != command.negated;
}

void SedRun::replace(const SedCommand& command, const Groups& groups, std::string& result) const {
    for (const auto& piece : command.replacement) {
        if (const auto* literal = std::get_if<std::string>(&piece)) {
            result += *literal;
            continue;
        }
        const auto& group = groups[static_cast<size_t>(std::get<int>(piece))];
        if (group.rm_so >= 0)
            result.append(space_, static_cast<size_t>(group.rm_so),
                          static_cast<size_t>(group.rm_eo - group.rm_so));
    }
}

bool SedRun::substitute(const SedCommand& command, const Regex& regex) {
    std::string result;
    size_t from = 0;  // `result` has the text before
    size_t search = 0;
    uint64_t count = 0;
    bool replaced = false;
    Groups groups;
    bool after_match = false;  // a match ended at `from`, so an empty match may not follow there
    while (search <= space_.size() && regex.find(space_, search, groups)) {
        auto begin = static_cast<size_t>(groups[0].rm_so),
             end = static_cast<size_t>(groups[0].rm_eo);
        bool empty = begin == end;
        if (!(empty && after_match && begin == from)) {
            count++;
            result.append(space_, from, begin - from);
            if (count >= command.occurrence && (command.global || count == command.occurrence)) {
                replace(command, groups, result);
                replaced = true;
            } else {
                result.append(space_, begin, end - begin);
            }
            from = end;
            after_match = !empty;
            if (replaced && !command.global) break;
        }
        search = end;
        if (empty) {
            if (end < space_.size()) result += space_[end];
            from = search = end + 1;
            after_match = false;
        }
    }
    if (!replaced) return false;
    if (from < space_.size()) result.append(space_, from);
    space_ = std::move(result);
    return true;
}

std::string SedRun::run() {
    while (auto line = lines_.next()) {
        space_ = *line;
        number_++;
        bool removed = false, quit = false;
        for (size_t i = 0; i < sed_.commands.size() && !removed && !quit; i++) {
            const auto& command = sed_.commands[i];
            if (!selected(command, compiled_[i])) continue;
            switch (command.kind) {
                case SedCommand::Kind::substitute:
                    if (substitute(command, *compiled_[i].pattern) && command.print_after) print();
                    break;
                case SedCommand::Kind::print:
                    print();
                    break;
                case SedCommand::Kind::remove:
                    removed = true;
                    break;
                case SedCommand::Kind::quit:
                    quit = true;
                    break;
            }
        }
        if (!removed && !sed_.quiet) print();
        if (quit) {  // completes a line that was printed without its newline
            if (newline_missing_) text_ += '\n';
            break;
        }
    }
    return std::move(text_);
}

}  // namespace

int run_filter(const Sed& sed, std::string_view input, Output& out) {
    std::string text = SedRun(sed, input).run();
    if (!text.empty()) out.write(text);
    return 0;
}

}  // namespace nlsh
