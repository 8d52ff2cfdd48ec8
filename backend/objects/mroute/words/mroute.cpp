#include "backend/objects/mroute/words/mroute.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "backend/objects/route/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Draft {
    MrouteShow show;
    const NameTables& names;
};

Parsed<void> take_table(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("table"));
    if (word == "all") {
        draft.show.table.reset();
    } else {
        draft.show.table = TRY(parse_table(draft.names, word));
    }
    return {};
}

Parsed<void> take_input(Draft& draft, Arguments& arguments) {
    return take_device(draft.show.device, arguments);
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "table", .take = take_table, .complaint = "table id value is invalid\n"},
    {.word = "iif", .take = take_input},
};

// iproute2 treats addresses and other words as addresses without a family.
Parsed<void> decline_other(Draft&, Arguments&) {
    return declined("mroute: another word");
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    const uint8_t family = context.options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6)
        return declined("mroute: a family of its own");
    if (!arguments.empty()) context.is.not_in_batch = leaves_filter;
    // The kernel's default.
    const uint32_t table = family == AF_INET6 ? RT_TABLE_MAIN : RT_TABLE_DEFAULT;
    Draft draft{.show = {.device = {}, .table = table}, .names = context.names};
    TRY(take_words(keywords, draft, arguments, decline_other));
    return std::move(draft.show);
}

constexpr Verb verbs[] = {{.words = {"show", "list", "lst"}, .parse = parse_show, .is = shows}};

}  // namespace

const Object mroute_object{.words = {"mroute"}, .name = "mroute", .verbs = {verbs}};

}  // namespace nlsh
