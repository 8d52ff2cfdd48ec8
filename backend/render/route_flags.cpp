#include "backend/render/route_flags.h"

#include <linux/rtnetlink.h>

namespace nlsh {
namespace {

struct Flag {
    uint32_t bit;
    std::string_view word;
    std::string_view text;
    Trait since = Trait::always;
};

// In iproute2's order.
constexpr Flag words[] = {
    {RTNH_F_DEAD, "dead", "dead "},
    {RTNH_F_ONLINK, "onlink", "onlink "},
    {RTNH_F_PERVASIVE, "pervasive", "pervasive "},
    {RTNH_F_OFFLOAD, "offload", "offload "},
    {RTNH_F_TRAP, "trap", "trap ", Trait::words_of_5_15},
    {RTM_F_NOTIFY, "notify", "notify "},
    {RTNH_F_LINKDOWN, "linkdown", "linkdown "},
    {RTNH_F_UNRESOLVED, "unresolved", "unresolved "},
    {RTM_F_OFFLOAD, "rt_offload", "rt_offload "},
    {RTM_F_TRAP, "rt_trap", "rt_trap "},
    {RTM_F_OFFLOAD_FAILED, "rt_offload_failed", "rt_offload_failed ", Trait::words_of_5_15},
};

}  // namespace

void print_route_flags(Context& context, Printer& printer, uint32_t flags) {
    printer.open_array("flags");
    for (const Flag& flag : words) {
        if ((flags & flag.bit) == 0 || !context.has(printer.options(), flag.since)) continue;
        printer.text(flag.text);
        printer.json_string("", flag.word);
    }
    printer.close_array();
}

}  // namespace nlsh
