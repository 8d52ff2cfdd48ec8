// Finds matches of grep -P's patterns: tries alternatives in order, and takes the first that leads
// to a match.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/filter/perl.h"

namespace nlsh {

struct PerlMatch {
    size_t begin, end;
};

class PerlMatcher {
  public:
    explicit PerlMatcher(const PerlPattern& pattern) : pattern_(pattern) {}
    // The leftmost match from `from` on, without what \K leaves out.
    std::optional<PerlMatch> find(std::string_view line, size_t from);
    // A line took too many steps, so its result is unknown.
    bool gave_up() const { return steps_ == 0; }

  private:
    using Nodes = std::vector<PerlNode>;
    // The nodes to match after a sequence.
    struct Rest {
        const Nodes* nodes;
        size_t next;
        const Rest* outer;
    };

    std::optional<size_t> sequence(const Nodes& nodes, size_t next, size_t at, const Rest* outer);
    std::optional<size_t> repeated(const PerlNode& node, size_t at, const Rest& rest);
    std::optional<size_t> group(const PerlNode& node, size_t at, const Rest& rest);
    std::optional<size_t> go_on(const Rest& rest, size_t at) {
        return sequence(*rest.nodes, rest.next, at, rest.outer);
    }
    bool holds(const PerlNode& node, size_t at);
    bool looks(const PerlNode& node, size_t at);
    bool in_word(size_t at) const;

    const PerlPattern& pattern_;
    std::string_view line_;
    size_t kept_ = 0;
    uint32_t steps_ = 1;
};

}  // namespace nlsh
