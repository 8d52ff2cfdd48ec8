// The distance between two words.
#pragma once

#include <cstddef>
#include <string_view>

namespace nlsh {

// Levenshtein's: the number of letters to insert, remove or change.
size_t distance(std::string_view a, std::string_view b);

}  // namespace nlsh
