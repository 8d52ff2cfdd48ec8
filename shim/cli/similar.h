// How far apart two words are.
#pragma once

#include <cstddef>
#include <string_view>

namespace nlsh {

// Levenshtein's: so many letters are to be put in, taken out or changed.
size_t distance(std::string_view a, std::string_view b);

}  // namespace nlsh
