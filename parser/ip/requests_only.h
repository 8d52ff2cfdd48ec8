// For tests: a refused command isn't a request either.
#pragma once

#include <variant>

#include "parser/ip/command.h"

namespace nlsh {

inline Parsed<Command> requests_only(Parsed<Command> command) {
    if (command && std::holds_alternative<RefusedCommand>(command->request)) {
        return declined(std::get<RefusedCommand>(command->request).message);
    }
    return command;
}

}  // namespace nlsh
