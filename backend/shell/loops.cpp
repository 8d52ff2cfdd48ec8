// for and `while read`.
#include "backend/filter/filter.h"
#include "backend/shell/evaluator.h"

namespace nlsh {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_leading_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

// Splits a line as read does with the default IFS: the last variable gets the rest.
void read_fields(std::string_view line, const std::vector<std::string>& names, Shell& shell) {
    std::string_view rest = without_leading_blanks(line);
    for (const auto& name : names) {
        const bool last = &name == &names.back();
        const size_t end = last ? rest.find_last_not_of(blanks) + 1
                                : std::min(rest.find_first_of(blanks), rest.size());
        shell.variables[name] = rest.substr(0, end);
        rest = without_leading_blanks(rest.substr(end));
    }
}

}  // namespace

int Evaluator::visit(const Loop& loop, Shell& shell, std::string_view input) {
    StreamScope scope(context_);
    redirect(loop.redirections, scope, shell, 0);
    switch (loop.kind) {
        case Loop::Kind::while_read:
            return while_read(loop, shell, input);
        case Loop::Kind::for_words:
            return for_words(loop, shell);
        case Loop::Kind::for_known_words:
            break;
    }
    int status = 0;
    for (size_t i = 0; i < loop.bodies.size() && !stopped(shell); i++) {
        shell.variables[loop.names[0]] = *loop.words[i].literal();
        status = list(loop.bodies[i], shell);
    }
    return status;
}

int Evaluator::for_words(const Loop& loop, Shell& shell) {
    const Repeating repeating(*this);
    int status = 0;
    for (const std::string& word : expand(loop.words, shell)) {
        if (stopped(shell)) break;
        shell.variables[loop.names[0]] = word;
        status = list(loop.bodies[0], shell);
    }
    return status;
}

int Evaluator::while_read(const Loop& loop, Shell& shell, std::string_view input) {
    if (!is_plain_text(input) &&
        context_.fall_back("read: bytes whose meaning depends on the locale"))
        return 1;
    if (!loop.raw && input.find('\\') != input.npos && context_.fall_back("read: a backslash"))
        return 1;
    const Repeating repeating(*this);
    int status = 0;
    while (!stopped(shell)) {
        const size_t end = input.find('\n');
        read_fields(input.substr(0, end), loop.names, shell);
        if (end == input.npos) break;  // read's status is 1, even if text came before the end
        input.remove_prefix(end + 1);
        shell.status = 0;  // read's
        status = list(loop.bodies[0], shell);
    }
    return status;
}

}  // namespace nlsh
