// Whole files, and texts that a NUL ends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

// The rest of an open file. Empty: it can't be read, or is larger than `largest` bytes.
std::string read_all(const Descriptor& file, size_t largest = SIZE_MAX);

// Empty: it can't be read, or is larger than `largest` bytes.
std::string read_file(const std::string& path, size_t largest = SIZE_MAX);

// "a\0b\0" is a, b; the last NUL may be missing.
std::vector<std::string> split_at_nul(std::string_view texts);

}  // namespace nlsh
