// The kinds of links (`type KIND …`): their names, their rows, and what iproute2 does beside them.
// The kinds themselves are in backend/objects/link/kinds, each in its file.
#pragma once

#include <algorithm>

#include "backend/objects/bridge/words/port_row.h"
#include "backend/objects/link/words/row.h"

namespace nlsh {

struct Context;
struct KindChange;  // backend/objects/link/kinds/check.h

struct LinkKind {
    std::string_view name;  // for a master's ports: MASTER_slave
    std::span<const LinkRow> rows = {};
    // iproute2 knows no options of it: older builds skip whatever words there are.
    bool skips_words = false;
    // A change starts with a look-up of the link, whose error comes before any error in the words.
    bool asks_first = false;
    // iproute2's steps after the last option; null: none.
    Parsed<void> (*finish)(OptionScope&) = nullptr;
    // iproute2's checks before it asks the kernel. Returns the exit status, or 0. Null: none.
    int (*check)(Context&, const KindChange&) = nullptr;

    bool is_slave() const { return name.ends_with("_slave"); }
    // Whether the kind has anything to print.
    bool has_items() const {
        return std::ranges::any_of(rows, [](const LinkRow& row) { return row.codec.print; });
    }
};

// The words after `type`: the whole IFLA_LINKINFO.
Parsed<LinkAttribute> parse_link_info(const ParseContext& context, bool create,
                                      Arguments& arguments);

}  // namespace nlsh
