#include "parser/ip/traits/trait_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace nlsh {
std::string_view trait_name(Trait trait) {
    const auto* const found = std::ranges::find(trait_rows, trait, &TraitRow::trait);
    return found == std::end(trait_rows) ? "unnamed" : found->name;
}

std::optional<Trait> trait_named(std::string_view name) {
    const auto* const found = std::ranges::find(trait_rows, name, &TraitRow::name);
    return found == std::end(trait_rows) ? std::nullopt : std::optional(found->trait);
}

std::string unknown_trait(Traits traits, Trait since, Trait until) {
    const bool begun = traits[since] == Traits::Answer::unknown;
    return fmt::format("whether this iproute2 has the trait {} isn't known",
                       trait_name(begun ? since : until));
}

}  // namespace nlsh
