#include "backend/filter/perl.h"

#include <algorithm>
#include <utility>

namespace nlsh {
namespace {

using Kind = PerlNode::Kind;

constexpr uint32_t steps_max = 1'000'000;  // for one match: some 10 ms

}  // namespace

bool PerlMatcher::in_word(size_t at) const {
    if (at >= line_.size()) return false;
    const char c = line_[at];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool PerlMatcher::looks(const PerlNode& node, size_t at) {
    if (!node.behind) {
        return std::ranges::any_of(node.alternatives, [&](const Nodes& nodes) {
            return sequence(nodes, 0, at, nullptr).has_value();
        });
    }
    const Nodes& nodes = node.alternatives[0];
    return at >= nodes.size() && sequence(nodes, 0, at - nodes.size(), nullptr).has_value();
}

bool PerlMatcher::holds(const PerlNode& node, size_t at) {
    switch (node.kind) {
        case Kind::start:
            return at == 0;
        case Kind::end:
            return at == line_.size();
        case Kind::boundary:
        case Kind::no_boundary: {
            const bool boundary = (at > 0 && in_word(at - 1)) != in_word(at);
            return boundary == (node.kind == Kind::boundary);
        }
        case Kind::look:
            return looks(node, at) != node.negated;
        default:
            return true;
    }
}

std::optional<size_t> PerlMatcher::group(const PerlNode& node, size_t at, const Rest& rest) {
    const auto inside = [&]() -> std::optional<size_t> {
        for (const Nodes& nodes : node.alternatives)
            if (const auto end = sequence(nodes, 0, at, &rest)) return end;
        return {};
    };
    const bool optional = node.least == 0;
    if (optional && node.lazy)
        if (const auto end = go_on(rest, at)) return end;
    if (const auto end = inside()) return end;
    return optional && !node.lazy ? go_on(rest, at) : std::nullopt;
}

std::optional<size_t> PerlMatcher::repeated(const PerlNode& node, size_t at, const Rest& rest) {
    size_t count = 0;
    const auto more = [&] {
        return count < node.most && at + count < line_.size() &&
               node.bytes[static_cast<unsigned char>(line_[at + count])];
    };
    while ((node.lazy ? count < node.least : true) && more())
        count++;
    if (count < node.least) return {};
    while (!gave_up()) {
        if (const auto end = go_on(rest, at + count)) return end;
        if (node.lazy ? !more() : count == node.least) return {};
        count = node.lazy ? count + 1 : count - 1;
    }
    return {};
}

std::optional<size_t> PerlMatcher::sequence(const Nodes& nodes, size_t next, size_t at,
                                            const Rest* outer) {
    if (steps_ > 0) steps_--;
    if (gave_up()) return {};
    if (next == nodes.size()) return outer ? go_on(*outer, at) : std::optional(at);
    const PerlNode& node = nodes[next];
    const Rest rest{&nodes, next + 1, outer};
    if (node.kind == Kind::bytes) return repeated(node, at, rest);
    if (node.kind == Kind::group) return group(node, at, rest);
    if (node.kind == Kind::keep) {
        const size_t before = std::exchange(kept_, at);
        const auto end = go_on(rest, at);
        if (!end) kept_ = before;
        return end;
    }
    return holds(node, at) ? go_on(rest, at) : std::nullopt;
}

std::optional<PerlMatch> PerlMatcher::find(std::string_view line, size_t from) {
    line_ = line;
    steps_ = steps_max;
    for (size_t at = from; at <= line.size() && !gave_up(); at++) {
        kept_ = at;
        for (const auto& nodes : pattern_.alternatives) {
            const auto end = sequence(nodes, 0, at, nullptr);
            if (gave_up()) return {};
            if (end) return PerlMatch{kept_, *end};
        }
    }
    return {};
}

}  // namespace nlsh
