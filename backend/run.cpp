#include "backend/run.h"

namespace nlsh {

int run(Context& context, const Command& command) {
    return std::visit([&](const auto& request) { return run(context, command.options, request); },
                      command.request);
}

}  // namespace nlsh
