// The kinds of links (`type KIND …`): names, rows, and further steps of iproute2. Each kind has a
// file in backend/objects/link/kinds.
#pragma once

#include <algorithm>

#include "backend/objects/bridge/words/port_row.h"
#include "backend/objects/link/words/row.h"

namespace nlsh {

struct Context;
struct KindChange;  // backend/objects/link/kinds/check.h

struct LinkKind {
    std::string_view name;  // of a master's ports: MASTER_slave
    std::span<const LinkRow> rows = {};
    // iproute2 knows no options of it; older builds skip all words.
    bool skips_words = false;
    // A change looks up the link first, so a missing link is an earlier error than a bad word.
    bool asks_first = false;
    // iproute2's steps after the last option; null: none.
    Parsed<void> (*finish)(OptionScope&) = nullptr;
    // iproute2's checks before it asks the kernel. Returns the exit status, or 0. Null: none.
    int (*check)(Context&, const KindChange&) = nullptr;

    bool is_slave() const { return name.ends_with("_slave"); }
    // Whether a show prints anything of the kind.
    bool has_items() const {
        return std::ranges::any_of(rows, [](const LinkRow& row) { return row.codec.print; });
    }
};

// Reads the words after `type` into a whole IFLA_LINKINFO.
Parsed<LinkAttribute> parse_link_info(const ParseContext& context, bool create,
                                      Arguments& arguments);

}  // namespace nlsh
