// Traits by name: in reasons for which a line falls back, and in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/ip/traits/traits.h"

namespace nlsh {

std::string_view trait_name(Trait trait);
std::optional<Trait> trait_named(std::string_view name);
// The reason for a fallback: the one of the row's two traits that nlsh doesn't know of this build.
std::string unknown_trait(Traits traits, Trait since, Trait until = Trait::never);

}  // namespace nlsh
