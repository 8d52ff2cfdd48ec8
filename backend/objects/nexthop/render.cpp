#include "backend/objects/nexthop/render.h"

#include <cstring>

#include "backend/objects/nexthop/words/rows.h"
#include "backend/objects/route/encap.h"
#include "backend/render/fields.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"
#include "backend/render/route_flags.h"

namespace nlsh {
namespace {

constexpr double hundredths = 100.0;  // USER_HZ
constexpr NumberField counter_fields[] = {
    {newer::NHA_GROUP_STATS_ENTRY_ID, "id", "    id "},
    {newer::NHA_GROUP_STATS_ENTRY_PACKETS, "packets", " packets "},
    {newer::NHA_GROUP_STATS_ENTRY_PACKETS_HW, "packets_hw", " packets_hw "},
};

}  // namespace

void NexthopPrinter::print_group(Attribute group) {
    Bytes rest = group.bytes();
    printer_.open_array("group");
    std::string_view before = "group ";
    while (rest.size() >= sizeof(newer::NexthopGroup)) {
        newer::NexthopGroup member;
        std::memcpy(&member, rest.data(), sizeof member);
        printer_.open_object();
        printer_.number("id", before, member.id, "");
        uint32_t weight = member.weight;
        if (member.weight_high != 0 &&
            context_.has(printer_.options(), Trait::wide_nexthop_weights))
            weight |= uint32_t{member.weight_high} << 8;
        if (weight != 0) printer_.number("weight", ",", weight + 1U, "");
        printer_.close_object();
        before = "/";
        rest = rest.subspan(sizeof member);
    }
    printer_.text(" ");
    printer_.close_array();
}

void NexthopPrinter::print_resilient(Attribute nest) {
    const Attributes<NHA_RES_GROUP_MAX> group(nest);
    printer_.open_object("resilient_args");
    nlsh::print_fields(context_, printer_, resilient_fields, group);
    printer_.close_object();
}

void NexthopPrinter::print_path(const Nexthop& nexthop) {
    const auto& [header, attributes] = nexthop;
    if (const Attribute gateway = attributes[NHA_GATEWAY])
        printer_.address("gateway", "via ", header.nh_family, gateway.bytes(), " ");
    if (const Attribute device = attributes[NHA_OIF])
        printer_.string(Color::ifname, "dev", "dev ", devices_.name(device.u32()), " ");
    const bool details = printer_.options().details > 0;
    const bool numeric = printer_.options().numeric;
    if (header.nh_scope != RT_SCOPE_UNIVERSE || details) {
        const auto scope = format_name(context_.names, NameKind::scope, header.nh_scope, numeric);
        printer_.string("scope", "scope ", scope, " ");
    }
    if (attributes[NHA_BLACKHOLE]) printer_.null("blackhole", "blackhole ");
    if (header.nh_protocol != RTPROT_UNSPEC || details) {
        const auto name =
            format_name(context_.names, NameKind::protocol, header.nh_protocol, numeric);
        printer_.string("protocol", "proto ", name, " ");
    }
}

bool NexthopPrinter::print(const Nexthop& nexthop, bool deleted) {
    printer_.open_object();
    if (deleted) printer_.boolean("deleted", "Deleted ");
    if (!print_fields(nexthop)) return false;
    printer_.text("\n");
    printer_.close_object();
    return true;
}

bool NexthopPrinter::print_fields(const Nexthop& nexthop) {
    const auto& attributes = nexthop.attributes;
    const Attribute type = attributes[NHA_GROUP_TYPE];
    const bool resilient = type && type.u16() == NEXTHOP_GRP_TYPE_RES;
    const bool exotic = !can_print_encap(attributes[NHA_ENCAP_TYPE], attributes[NHA_ENCAP]) ||
                        (type && !resilient && type.u16() != NEXTHOP_GRP_TYPE_MPATH) ||
                        attributes[newer::nexthop_port];
    if (exotic && context_.fall_back("a nexthop with encap")) return false;
    print_number(printer_, attributes[NHA_ID], "id", "id ");
    if (attributes[NHA_GROUP]) print_group(attributes[NHA_GROUP]);
    if (resilient) printer_.string("type", "type ", "resilient", " ");
    if (attributes[NHA_RES_GROUP]) print_resilient(attributes[NHA_RES_GROUP]);
    print_encap({context_, printer_, devices_}, attributes[NHA_ENCAP_TYPE], attributes[NHA_ENCAP]);
    print_path(nexthop);
    if (attributes[NHA_OIF] || context_.has(printer_.options(), Trait::nexthop_flags_always))
        print_route_flags(context_, printer_, nexthop.header.nh_flags);
    if (attributes[NHA_FDB]) {
        const bool blank = context_.has(printer_.options(), Trait::blank_after_nexthop_fdb);
        printer_.null("fdb", blank ? "fdb " : "fdb");
    }
    nlsh::print_fields(context_, printer_, nexthop_fields, attributes);
    print_hardware(nexthop);
    return true;
}

// Prints the kernel's counters if it sent some.
void NexthopPrinter::print_hardware(const Nexthop& nexthop) {
    const Attribute enabled = nexthop.attributes[newer::NHA_HW_STATS_ENABLE];
    const Attribute counters = nexthop.attributes[newer::NHA_GROUP_STATS];
    if (!enabled && !counters) return;
    if (!context_.has(printer_.options(), Trait::nexthop_statistics)) return;
    if (enabled) {
        printer_.open_object("hw_stats");
        printer_.on_off("enabled", "hw_stats ", enabled.u32() != 0, " ");
        const Attribute used = nexthop.attributes[newer::NHA_HW_STATS_USED];  // may be missing
        printer_.on_off("used", "used ", used.u32() != 0, " ");
        printer_.close_object();
    }
    if (counters) print_counters(counters);
}

void NexthopPrinter::print_counters(Attribute nest) {
    printer_.open_array("group_stats");
    printer_.line_break();
    printer_.text("  stats:");
    for (const Attribute entry : AttributeRange(nest.bytes())) {
        const Attributes<newer::NHA_GROUP_STATS_ENTRY_PACKETS_HW> counters(entry);
        printer_.open_object();
        printer_.line_break();
        for (const NumberField& field : counter_fields)
            print_number(printer_, counters[field.attribute], field.key, field.before, "");
        printer_.close_object();
    }
    printer_.close_array();
}

void NexthopPrinter::print_bucket(const Nexthop& nexthop) {
    const auto& attributes = nexthop.attributes;
    printer_.open_object();
    print_number(printer_, attributes[NHA_ID], "id", "id ");
    if (attributes[NHA_RES_BUCKET]) {
        const Attributes<NHA_RES_BUCKET_MAX> bucket(attributes[NHA_RES_BUCKET]);
        const auto idle = static_cast<double>(bucket[NHA_RES_BUCKET_IDLE_TIME].u64()) / hundredths;
        printer_.open_object("bucket");
        printer_.number("index", "index ", bucket[NHA_RES_BUCKET_INDEX].u16(), " ");
        printer_.floating("idle_time", "idle_time ", idle, " ");
        printer_.number("nhid", "nhid ", bucket[NHA_RES_BUCKET_NH_ID].u32(), " ");
        printer_.close_object();
    }
    print_route_flags(context_, printer_, nexthop.header.nh_flags);
    printer_.text("\n");
    printer_.close_object();
}

}  // namespace nlsh
