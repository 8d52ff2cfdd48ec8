// For tests: commands from a line whose words stand between blanks.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/ip/traits/proof.h"

namespace nlsh {

inline std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

inline Parsed<Command> parse_line(Tool tool, const std::string& line, LinkKinds kinds = {}) {
    static const NameTables names = NameTables::built_in();
    return parse_command(tool, words_of(line), names, kinds);
}

// Counts a refused command as declined.
inline Parsed<Command> requests_only(Parsed<Command> command) {
    if (command && command->request.is<RefusedCommand>()) {
        return declined(command->request.get<RefusedCommand>().message);
    }
    return command;
}

// An ip command, if it isn't refused.
inline Parsed<Command> requested(const std::string& line) {
    return requests_only(parse_line(Tool::ip, line));
}

// Proof of a build that behaves exactly as nlsh does.
struct AllProven : Proof {
    std::string objection(std::span<const std::string>, const Command&) const override {
        return {};
    }
    bool prints(const std::string&, std::string_view) const override { return true; }
};

// The request of an ip command. Without one, or with another type: a failure and an empty request.
template <typename T>
T parsed(const std::string& line) {
    const auto command = requested(line);
    if (command && command->request.is<T>()) return command->request.get<T>();
    ADD_FAILURE() << line << (command ? "" : ": " + command.error().reason);
    return {};
}

}  // namespace nlsh
