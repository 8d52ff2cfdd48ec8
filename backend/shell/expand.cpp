// Expansion of words: variables, $?, substitutions, field splitting.
#include <fmt/format.h>

#include "backend/shell/evaluator.h"

namespace nlsh {

std::string Evaluator::value_of(const Part& part, Shell& shell) {
    switch (part.kind) {
        case Part::Kind::literal:
            return part.text;
        case Part::Kind::status:
            return fmt::format_int(shell.status).str();
        case Part::Kind::variable: {
            auto found = shell.variables.find(part.text);
            return found == shell.variables.end() ? std::string() : found->second;
        }
        case Part::Kind::substitution:
            break;
    }
    StringOutput output;
    const int line = line_;
    {
        StreamScope scope(context_);
        const Repeating repeating(*this);
        context_.out = &output;
        Shell inner = shell;
        substitution_status_ = list(*part.body, inner);
    }
    line_ = line;
    // In bash, $? is already the status of the last substitution within the same command.
    if (shell.dialect == Dialect::bash) shell.status = substitution_status_;
    if (std::erase(output.text, '\0') > 0 && shell.dialect == Dialect::bash) {
        context_.err->write(
            fmt::format("{}warning: command substitution: ignored null byte in input\n",
                        error_prefix(shell, line_)));
    }
    while (output.text.ends_with('\n'))
        output.text.pop_back();
    return std::move(output.text);
}

std::string Evaluator::expand_unsplit(const Word& word, Shell& shell) {
    std::string text = word.plain ? word.source : "";
    for (const auto& part : word.parts)
        text += value_of(part, shell);
    return text;
}

void Evaluator::split(std::string_view value, std::string& field, bool& has_field,
                      std::vector<std::string>& fields) {
    if (value.find_first_of("*?[") != std::string_view::npos)
        context_.fall_back("glob in an expansion");
    for (char c : value) {
        if (c != ' ' && c != '\t' && c != '\n') {
            field += c;
            has_field = true;
        } else if (has_field) {
            fields.push_back(std::move(field));
            field.clear();
            has_field = false;
        }
    }
}

std::vector<std::string> Evaluator::expand(const std::vector<Word>& words, Shell& shell) {
    std::vector<std::string> fields;
    for (const auto& word : words) {
        std::string field = word.plain ? word.source : "";
        bool has_field = word.plain;
        for (const auto& part : word.parts) {
            std::string value = value_of(part, shell);
            if (context_.fallback) return fields;
            if (part.quoted || part.kind == Part::Kind::literal) {
                field += value;
                has_field = true;
            } else {
                split(value, field, has_field, fields);
            }
        }
        if (has_field) fields.push_back(std::move(field));
    }
    return fields;
}

}  // namespace nlsh
