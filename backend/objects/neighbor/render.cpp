#include "backend/objects/neighbor/render.h"

#include <fmt/format.h>
#include <unistd.h>

#include "backend/objects/neighbor/words/flags.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

struct State {
    uint16_t bit;
    const char* name;
};

constexpr State states_in_order[] = {
    {NUD_INCOMPLETE, "INCOMPLETE"}, {NUD_REACHABLE, "REACHABLE"}, {NUD_STALE, "STALE"},
    {NUD_DELAY, "DELAY"},           {NUD_PROBE, "PROBE"},         {NUD_FAILED, "FAILED"},
    {NUD_NOARP, "NOARP"},           {NUD_PERMANENT, "PERMANENT"},
};

AddressText link_address(const Neighbor& neighbor) {
    return format_hex_bytes(neighbor.attributes[NDA_LLADDR].bytes());
}

}  // namespace

NeighborRenderer neighbor_renderer(Context& context, Printer& printer, DeviceNames& devices,
                                   bool hide_device) {
    const Options& options = printer.options();
    return {.printer = printer,
            .devices = devices,
            .names = context.names,
            .hide_device = hide_device,
            .brief = options.brief && context.has(options, Trait::brief_neighbors),
            .blanks_after = context.has(options, Trait::blanks_after_neighbor_words),
            .valid = context.has(options, Trait::neighbor_extern_valid)};
}

bool has_typed_link_address(const Neighbor& neighbor) {
    const Attribute address = neighbor.attributes[NDA_LLADDR];
    return address && (address.size() == 4 || address.size() == 16);
}

void NeighborRenderer::address(const Neighbor& neighbor) const {
    const ndmsg& header = *neighbor.header;
    if (const Attribute destination = neighbor.attributes[NDA_DST]) {
        const AddressText text = format_address(header.ndm_family, destination.bytes());
        printer.string(address_color(header.ndm_family), "dst", "",
                       printer.json() || !brief ? text.view() : fmt::format("{:<39}", text.view()),
                       " ");
    }
    if (hide_device || header.ndm_ifindex == 0) return;
    const std::string_view device = devices.name(static_cast<uint32_t>(header.ndm_ifindex));
    if (printer.json() || !brief) {
        printer.string(Color::ifname, "dev", "dev ", device, " ");
    } else {
        printer.string(Color::ifname, {}, {}, fmt::format("{:<16}", device), " ");
    }
}

void NeighborRenderer::shortly(const Neighbor& neighbor) const {
    if (neighbor.attributes[NDA_LLADDR])
        printer.string(Color::mac, "lladdr", "", link_address(neighbor), "");
}

void NeighborRenderer::flags(const Neighbor& neighbor) const {
    const Attribute extended = neighbor.attributes[NDA_FLAGS_EXT];
    const uint32_t flags =
        neighbor.header->ndm_flags | (extended ? extended.u32() << extended_neighbor_flag : 0);
    for (const NeighborFlag& flag : neighbor_flags) {
        if (!flag.shown || (flags & flag.bit) == 0) continue;
        if (flag.bit == valid_neighbor && !valid) continue;
        const std::string text = blanks_after ? with_blank(flag.word) : std::string(flag.older);
        if (!text.empty()) printer.null(flag.word, text);
    }
}

void NeighborRenderer::statistics(const Neighbor& neighbor) const {
    if (const Attribute attribute = neighbor.attributes[NDA_CACHEINFO]) {
        const auto cache = attribute.as<nda_cacheinfo>();
        const auto hertz = static_cast<uint32_t>(sysconf(_SC_CLK_TCK));
        if (cache.ndm_refcnt != 0) printer.number("refcnt", " ref ", cache.ndm_refcnt, "");
        printer.number("used", " used ", cache.ndm_used / hertz, "");
        printer.number("confirmed", "/", cache.ndm_confirmed / hertz, "");
        printer.number("updated", "/", cache.ndm_updated / hertz, "");
    }
    if (const Attribute probes = neighbor.attributes[NDA_PROBES]) {
        printer.number("probes", blanks_after ? "probes " : " probes ", probes.u32(),
                       blanks_after ? " " : "");
    }
}

void NeighborRenderer::state(uint16_t state) const {
    if (state == NUD_NONE) return;
    printer.open_array("state");
    for (const State& known : states_in_order) {
        if ((state & known.bit) != 0)
            printer.string("", blanks_after ? "" : " ", known.name, blanks_after ? " " : "");
    }
    printer.close_array();
}

void NeighborRenderer::protocol(uint8_t protocol) const {
    const std::string name =
        format_name(names, NameKind::protocol, protocol, printer.options().numeric);
    printer.string("protocol", blanks_after ? "proto " : " proto ", name, " ");
}

void NeighborRenderer::print(const Neighbor& neighbor) const {
    printer.open_object();
    address(neighbor);
    if (brief) {
        shortly(neighbor);
    } else {
        if (neighbor.attributes[NDA_LLADDR]) {
            printer.string(Color::mac, "lladdr", "lladdr ", link_address(neighbor),
                           blanks_after ? " " : "");
        }
        flags(neighbor);
        if (printer.options().statistics > 0) statistics(neighbor);
        state(neighbor.header->ndm_state);
        if (const Attribute by = neighbor.attributes[NDA_PROTOCOL]; by && by.u8() != 0) {
            protocol(by.u8());
        }
    }
    printer.text("\n");
    printer.close_object();
}

}  // namespace nlsh
