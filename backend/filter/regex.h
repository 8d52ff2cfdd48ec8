// A compiled Pattern.
#pragma once

#include <regex.h>

#include <array>
#include <string_view>

#include "parser/filter/filter.h"

namespace nlsh {

using Groups = std::array<regmatch_t, 10>;

class Regex {
  public:
    // `whole`: must match the whole line.
    explicit Regex(const Pattern& pattern, bool whole = false);
    ~Regex();
    Regex(const Regex&) = delete;
    Regex& operator=(const Regex&) = delete;

    // Finds the leftmost longest match that starts at `from` or later; ^ is the line's start.
    bool find(std::string_view line, size_t from, Groups& groups) const;
    bool matches(std::string_view line) const;

  private:
    Pattern pattern_;
    bool whole_;
    bool compiled_ = false;
    regex_t regex_{};
};

}  // namespace nlsh
