// Finds out which rows an installed build of iproute2 has as nlsh has them, from recordings: no
// network, no rights, no namespace.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "parser/ip/options.h"
#include "shim/builds/profile.h"
#include "shim/builds/proven.h"

namespace nlsh {

struct Qualified {
    Profile profile;
    Proven proven;
    struct Counts {
        size_t lines = 0, same = 0, different = 0;          // of those that could be judged
        size_t proven = 0, contradicted = 0, unproven = 0;  // rows
    } counts;
};

struct Qualification {
    std::optional<Qualified> tools[2];  // by tool; nothing: it isn't iproute2
};

// done: a share of it, from 0 to 1. The error is a sentence.
std::expected<Qualification, std::string> qualify(const std::string& ip, const std::string& bridge,
                                                  const std::function<void(double)>& done = {});

}  // namespace nlsh
