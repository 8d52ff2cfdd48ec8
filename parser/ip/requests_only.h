// For tests: a refused command isn't a request either.
#pragma once

#include <variant>

#include "parser/ip/command.h"
#include "parser/ip/refusal.h"

namespace nlsh {

inline Parsed<Command> requests_only(Parsed<Command> command) {
    if (command && command->request.is<RefusedCommand>()) {
        return declined(command->request.get<RefusedCommand>().message);
    }
    return command;
}

}  // namespace nlsh
