// ip vrf show.
#include <fmt/format.h>
#include <linux/if_link.h>

#include "backend/errors.h"
#include "backend/objects/link/query.h"
#include "backend/objects/link/words/vrf.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

constexpr std::string_view header = "Name              Table\n-----------------------\n";

// A VRF's table; 0: the link isn't a VRF.
uint32_t vrf_table(const nlmsghdr& message) {
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const Attributes<IFLA_INFO_MAX> info(link[IFLA_LINKINFO]);
    if (info[IFLA_INFO_KIND].string() != "vrf") return 0;
    return Attributes<IFLA_VRF_MAX>(info[IFLA_INFO_DATA])[IFLA_VRF_TABLE].u32();
}

// iproute2 prints one line, even with -json.
int show_one(Context& context, Channel& channel, const Options& options, const std::string& name) {
    const auto link = get_link(channel, name);
    const uint32_t table = link ? vrf_table(**link) : 0;
    if (table == 0) {
        print_error(context, "Invalid VRF\n");
        return 255;
    }
    Printer printer(*context.out, options);
    printer.raw(fmt::format("{} {}\n", name, table));
    printer.flush();
    return 0;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const VrfShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    if (!request.name.empty()) return show_one(context, channel, options, request.name);
    LinkFilter filter;
    filter.kind = "vrf";
    Message message = link_dump_request(filter, false);
    Printer printer(*context.out, options);
    printer.begin_document();
    printer.text(header);
    bool none = true;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const uint32_t table = vrf_table(answer);
        if (table == 0) return true;
        const std::string_view name =
            Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(answer))[IFLA_IFNAME].string();
        none = false;
        printer.open_object();
        printer.json_string("name", name);
        printer.json_number("table", table);
        printer.text(fmt::format("{:<16} {:>5}\n", name, table));
        printer.close_object();
        return printer.flush_if_large();
    });
    if (!verdict.ok() && context.fall_back("vrf show: no dump")) return 1;
    if (none) printer.text("No VRF has been configured\n");
    printer.end_document();
    return 0;
}

}  // namespace nlsh
