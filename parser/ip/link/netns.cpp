#include "parser/ip/link/netns.h"

#include <algorithm>
#include <climits>

#include "parser/ip/arguments.h"

namespace nlsh {

namespace {

bool any_depends(const std::vector<LinkAttribute>& attributes) {
    return std::ranges::any_of(attributes, [](const LinkAttribute& attribute) {
        if (const auto* nest = std::get_if<LinkNest>(&attribute.value)) {
            return any_depends(nest->attributes);
        }
        const auto* netns = std::get_if<LinkNetns>(&attribute.value);
        return netns != nullptr && depends_on_viewer(*netns);
    });
}

}  // namespace

bool depends_on_viewer(const LinkNetns& netns) {
    return netns.name.contains('/') || parse_u32(netns.name, INT_MAX);
}

bool depends_on_viewer(const LinkChange& change) {
    return any_depends(change.attributes) || any_depends(change.info);
}

}  // namespace nlsh
