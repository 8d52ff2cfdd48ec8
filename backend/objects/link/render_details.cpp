// The second line of a link and the lines after it: address, -d, kind, alias, counters, altnames.
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/link/kinds/codec.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/objects/link/link_words.h"
#include "backend/objects/link/render.h"
#include "backend/objects/link/statistics.h"
#include "backend/objects/link/words/options.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

struct DetailField {
    uint16_t attribute;
    std::string_view label;
    std::string_view key = {};  // in JSON; empty: the label
    Trait since = Trait::always;
    Trait until = Trait::never;
};
constexpr DetailField device_fields[] = {
    {.attribute = IFLA_PROMISCUITY, .label = " promiscuity", .key = "promiscuity"},
    {.attribute = IFLA_ALLMULTI,
     .label = " allmulti",
     .key = "allmulti",
     .since = Trait::words_of_6_1,
     .until = Trait::one_blank_before_allmulti},
    {.attribute = IFLA_ALLMULTI, .label = "allmulti", .since = Trait::one_blank_before_allmulti},
    {.attribute = IFLA_MIN_MTU, .label = "minmtu", .key = "min_mtu"},
    {.attribute = IFLA_MAX_MTU, .label = "maxmtu", .key = "max_mtu"},
};
constexpr DetailField queue_fields[] = {
    {.attribute = IFLA_NUM_TX_QUEUES, .label = "numtxqueues", .key = "num_tx_queues"},
    {.attribute = IFLA_NUM_RX_QUEUES, .label = "numrxqueues", .key = "num_rx_queues"},
    {.attribute = IFLA_GSO_MAX_SIZE, .label = "gso_max_size"},
    {.attribute = IFLA_GSO_MAX_SEGS, .label = "gso_max_segs"},
    {.attribute = IFLA_TSO_MAX_SIZE, .label = "tso_max_size", .since = Trait::words_of_6_1},
    {.attribute = IFLA_TSO_MAX_SEGS, .label = "tso_max_segs", .since = Trait::words_of_6_1},
    {.attribute = IFLA_GRO_MAX_SIZE, .label = "gro_max_size", .since = Trait::words_of_6_1},
    {.attribute = newer::IFLA_GSO_IPV4_MAX_SIZE,
     .label = "gso_ipv4_max_size",
     .since = Trait::link_ipv4_max_sizes},
    {.attribute = newer::IFLA_GRO_IPV4_MAX_SIZE,
     .label = "gro_ipv4_max_size",
     .since = Trait::link_ipv4_max_sizes},
};

void print_numbers(Context& context, Printer& printer, const LinkAttributes& link,
                   std::span<const DetailField> fields) {
    const Traits& traits = printer.options().traits;
    for (const DetailField& field : fields) {
        const Attribute value = link[field.attribute];
        if (!value) continue;
        const auto counts = traits.counts(field.since, field.until);
        if (counts == Traits::Answer::unknown) context.fall_back("detail of other versions");
        if (counts != Traits::Answer::yes) continue;
        printer.text(field.label);
        printer.number(field.key.empty() ? field.label : field.key, " ", value.u32(), " ");
    }
}

// IFLA_AF_SPEC{AF_INET6{IFLA_INET6_ADDR_GEN_MODE}}
Attribute address_mode(const LinkAttributes& link) {
    const Attributes<AF_INET6> families(link[IFLA_AF_SPEC]);
    return Attributes<IFLA_INET6_MAX>(families[AF_INET6])[IFLA_INET6_ADDR_GEN_MODE];
}

}  // namespace

// The reason for a fallback: something that nlsh doesn't print.
std::optional<std::string_view> LinkPrinter::unprintable(const Link& link) {
    const LinkAttributes& attributes = link.attributes;
    if ((link.header.ifi_flags & ~known_link_flags()) != 0) return "link with unknown flags";
    if (attributes[IFLA_OPERSTATE] && !operstate_name(attributes[IFLA_OPERSTATE].u8())) {
        return "link with an unknown operstate";
    }
    if (attributes[IFLA_LINKMODE].u8() > 1) return "link with an unknown mode";
    if (printer_.options().brief) return {};
    if (!link_type_name(link.header.ifi_type)) return "link of an unknown hardware type";
    if (Attributes<IFLA_XDP_MAX>(attributes[IFLA_XDP])[IFLA_XDP_ATTACHED].u8() != 0) {
        return "link with XDP";
    }
    if (attributes[IFLA_NUM_VF].u32() != 0) return "link with virtual functions";
    const Attributes<IFLA_PROTO_DOWN_REASON_MAX> reason(attributes[IFLA_PROTO_DOWN_REASON]);
    if (reason[IFLA_PROTO_DOWN_REASON_VALUE].u32() != 0) return "link with protodown reasons";
    if (attributes.name_a_namespace() && !namespaces_.loaded())
        return "a name of a namespace that isn't one";
    return {};
}

bool LinkPrinter::shows_hardware() const {
    const Options& options = printer_.options();
    return view_ == LinkView::link || view_ == LinkView::monitor || options.details > 0 ||
           options.family == AF_UNSPEC || options.family == AF_PACKET;
}

void LinkPrinter::hardware_line(const Link& link) {
    const LinkAttributes& attributes = link.attributes;
    const auto text = [&](Attribute address) {
        return format_link_address(address.bytes(), link.header.ifi_type);
    };
    printer_.line_break();
    const std::string type = printer_.options().numeric
                                 ? fmt::format("[{}]", link.header.ifi_type)
                                 : std::string(link_type_name(link.header.ifi_type).value_or(""));
    printer_.string("link_type", "    link/", type, " ");
    const Attribute address = attributes[IFLA_ADDRESS];
    if (address) printer_.string(Color::mac, "address", {}, text(address), {});
    if (const Attribute broadcast = attributes[IFLA_BROADCAST]) {
        const bool peer = (link.header.ifi_flags & IFF_POINTOPOINT) != 0;
        if (peer) printer_.json_boolean("link_pointtopoint", true);
        printer_.string(Color::mac, "broadcast", peer ? " peer " : " brd ", text(broadcast), {});
    }
    const Attribute permanent = attributes[IFLA_PERM_ADDRESS];
    if (permanent && !(address && std::ranges::equal(permanent.bytes(), address.bytes()))) {
        printer_.string(Color::mac, "permaddr", " permaddr ", text(permanent), {});
    }
}

// JSON has the number, text the name if there is one.
void LinkPrinter::namespace_number(std::string_view key, std::string_view before, int32_t number) {
    const std::string* name = printer_.json() ? nullptr : namespaces_.name(number);
    if (name != nullptr) {
        printer_.text(fmt::format(" {} {}", before, *name));
    } else if (number >= 0) {
        printer_.signed_number(key, fmt::format(" {}id ", before), number, {});
    } else {
        printer_.text(fmt::format(" {}id unknown", before));
    }
}

void LinkPrinter::lower_namespace(const Link& link) {
    if (const Attribute id = link.attributes[IFLA_LINK_NETNSID]) {
        namespace_number("link_netnsid", "link-netns", id.as<int32_t>());
    }
    if (const Attribute id = link.attributes[IFLA_NEW_NETNSID]) {
        namespace_number("new_netnsid", "new-netns", id.as<int32_t>());
    }
    print_number(printer_, link.attributes[IFLA_NEW_IFINDEX], "new_ifindex", " new-ifindex ", {});
    if (link.attributes[IFLA_PROTO_DOWN].u8() != 0) {
        printer_.boolean("proto_down", " protodown on ");
    }
}

void LinkPrinter::details(const Link& link) {
    const LinkAttributes& attributes = link.attributes;
    print_numbers(context_, printer_, attributes, device_fields);
    if (attributes[newer::IFLA_NETNS_IMMUTABLE].u8() != 0 &&
        context_.has(printer_.options(), Trait::netns_immutable)) {
        printer_.boolean("netns-immutable", "netns-immutable ");
    }
    kind(link);
    if (const Attribute mode = address_mode(attributes); mode && view_ == LinkView::link) {
        if (mode.u8() >= std::size(address_modes)) {
            context_.fall_back("unknown IPv6 address generation mode");
            return;
        }
        printer_.string("inet6_addr_gen_mode", "addrgenmode ", address_modes[mode.u8()], " ");
    }
    print_numbers(context_, printer_, attributes, queue_fields);
    print_string(printer_, attributes[IFLA_PHYS_PORT_NAME], "phys_port_name", "portname ");
    if (const Attribute id = attributes[IFLA_PHYS_PORT_ID])
        printer_.string("phys_port_id", "portid ", hex_string(id.bytes()), " ");
    if (const Attribute id = attributes[IFLA_PHYS_SWITCH_ID])
        printer_.string("phys_switch_id", "switchid ", hex_string(id.bytes()), " ");
    const Attribute bus = attributes[IFLA_PARENT_DEV_BUS_NAME];
    const Attribute device = attributes[IFLA_PARENT_DEV_NAME];
    if ((bus || device) && context_.has(printer_.options(), Trait::words_of_5_15)) {
        print_string(printer_, bus, "parentbus", "parentbus ");
        print_string(printer_, device, "parentdev", "parentdev ");
    }
}

void LinkPrinter::kind(const Link& link) {
    if (!link.attributes[IFLA_LINKINFO]) return;
    const Attributes<IFLA_INFO_SLAVE_DATA> info(link.attributes[IFLA_LINKINFO]);
    const auto print = [&](const LinkKind* kind, std::string_view data_key, Attribute data) {
        if (kind == nullptr || kind->is_slave() != (data_key == "info_slave_data")) {
            context_.fall_back("link of an unknown kind");
            return;
        }
        if (!kind->has_items()) return;
        const KindAttributes attributes(data);
        printer_.open_object(data_key);
        if (data) print_rows({printer_, names_, context_, attributes}, kind->rows);
        printer_.close_object();
    };
    const LinkKinds kinds = link_kinds();
    printer_.open_object("linkinfo");
    if (const Attribute kind = info[IFLA_INFO_KIND]) {
        printer_.line_break();
        printer_.string("info_kind", "    ", kind.string(), " ");
        print(kinds.find(kind.string()), "info_data", info[IFLA_INFO_DATA]);
    }
    if (const Attribute kind = info[IFLA_INFO_SLAVE_KIND]) {
        printer_.line_break();
        printer_.string("info_slave_kind", "    ", kind.string(), "_slave ");
        print(kinds.find_slave(kind.string()), "info_slave_data", info[IFLA_INFO_SLAVE_DATA]);
    }
    printer_.close_object();
}

void LinkPrinter::after_details(const Link& link) {
    const LinkAttributes& attributes = link.attributes;
    const Options& options = printer_.options();
    const bool link_view = view_ == LinkView::link;
    if (const Attribute alias = attributes[IFLA_IFALIAS];
        alias && (link_view || options.details > 0)) {
        printer_.line_break();
        printer_.string("ifalias", "    alias ", alias.string(), {});
    }
    if (link_view && options.statistics > 0) {
        printer_.line_break();
        if (!print_link_statistics(printer_, attributes)) context_.fall_back("rare counters");
    }
    if (!attributes[IFLA_PROP_LIST]) return;
    printer_.open_array("altnames");
    for (const Attribute name : AttributeRange(attributes[IFLA_PROP_LIST].bytes())) {
        if (name.type() != IFLA_ALT_IFNAME) continue;
        printer_.line_break();
        printer_.string({}, "    altname ", name.string(), {});
    }
    printer_.close_array();
}

}  // namespace nlsh
