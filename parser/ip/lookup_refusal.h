// Refusals of words that follow a device which iproute2 has looked up by then.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "parser/ip/command.h"
#include "parser/ip/refusal.h"

namespace nlsh {

// What is declined, as an error that comes after the lookups of `devices` (an empty name: nothing
// was looked up). Without a message it stays a decline. `missing` is what is said instead of the
// usual words when there is no such device, with {} for its name.
inline Parsed<ObjectResult> refused_after(const std::vector<std::string>& devices, Decline decline,
                                          const char* missing = nullptr) {
    std::vector<RefusedCommand::Lookup> lookups;
    for (const std::string& device : devices) {
        if (device.empty()) continue;
        lookups.push_back(
            {device, missing ? fmt::format(fmt::runtime(missing), device) : std::string()});
    }
    if (lookups.empty() || decline.message.empty()) return std::unexpected(std::move(decline));
    return ObjectResult{RefusedCommand{.message = std::move(decline.message),
                                       .status = decline.status,
                                       .lookups = std::move(lookups)},
                        "refused", true};
}
// The same of one device.
inline Parsed<ObjectResult> refused_after(const std::string& device, Decline decline,
                                          const char* missing = nullptr) {
    return refused_after(std::vector{device}, std::move(decline), missing);
}

}  // namespace nlsh
