// Reads whole files, and splits texts at NULs.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

// Appends the next bytes of a file or stream, at most 64 KiB. Returns their number; 0: the end; -1:
// see errno.
ssize_t read_some(int descriptor, std::string& text);

// Reads the rest of an open file, or returns an errno.
std::expected<std::string, int> read_rest(const Descriptor& file);

// The rest of an open file. Empty: it can't be read, or is larger than `largest` bytes.
std::string read_all(const Descriptor& file, size_t largest = SIZE_MAX);

// Empty: it can't be read, or is larger than `largest` bytes.
std::string read_file(const std::string& path, size_t largest = SIZE_MAX);

// "a\0b\0" is a, b; the last NUL may be missing.
std::vector<std::string> split_at_nul(std::string_view texts);

}  // namespace nlsh
