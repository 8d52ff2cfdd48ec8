#include "backend/objects/bridge/mdb_entry.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_ether.h>

#include "backend/objects/bridge/words/mdb_rows.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

constexpr uint32_t ticks = 100;  // USER_HZ

struct Flag {
    uint8_t bit;
    std::string_view word;
    Trait since = Trait::always;
};
constexpr Flag flags[] = {
    {MDB_FLAGS_OFFLOAD, "offload"},
    {MDB_FLAGS_FAST_LEAVE, "fast_leave"},
    {MDB_FLAGS_STAR_EXCL, "added_by_star_ex"},
    {MDB_FLAGS_BLOCKED, "blocked"},
    {newer::mdb_offload_failed, "offload_failed", Trait::mdb_offload_failed},
};

// By MDB_RTR_TYPE_*.
constexpr std::string_view router_types[] = {"disabled", "temp_query", "permanent", "temp"};

uint8_t family_of(const br_mdb_entry& entry) {
    if (entry.addr.proto == htons(ETH_P_IP)) return AF_INET;
    return entry.addr.proto == htons(ETH_P_IPV6) ? AF_INET6 : AF_UNSPEC;
}

AddressText group_of(const br_mdb_entry& entry) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&entry.addr.u);
    const uint8_t family = family_of(entry);
    if (family == AF_UNSPEC) return format_hex_bytes({bytes, ETH_ALEN});
    return format_address(family, {bytes, sizeof entry.addr.u});
}

std::string seconds(uint32_t time, unsigned width) {
    return fmt::format("{:{}}.{:02}", time / ticks, width, time % ticks);
}

}  // namespace

void MdbPrinter::print_sources(uint8_t family, Bytes sources) {
    if (printer_.options().color != ColorMode::never) context_.fall_back("mdb: colours of sources");
    std::string_view before = " source_list ";
    printer_.open_array("source_list");
    for (const Attribute source : AttributeRange(sources)) {
        const Attributes<MDBA_MDB_SRCATTR_MAX> attributes(source);
        if (source.type() != MDBA_MDB_SRCLIST_ENTRY || !attributes[MDBA_MDB_SRCATTR_ADDRESS] ||
            !attributes[MDBA_MDB_SRCATTR_TIMER]) {
            continue;
        }
        const Attribute address = attributes[MDBA_MDB_SRCATTR_ADDRESS];
        printer_.open_object();
        printer_.string("address", before, format_address(family, address.bytes()), "");
        printer_.string("timer", "/", seconds(attributes[MDBA_MDB_SRCATTR_TIMER].u32(), 1), "");
        printer_.close_object();
        before = ",";
    }
    printer_.close_array();
}

void MdbPrinter::print_details(uint8_t family, const Attribute& mode, const Attribute& sources,
                               const Attribute& protocol) {
    if (mode) {
        const std::string_view word = mode.u8() == MCAST_INCLUDE ? "include" : "exclude";
        printer_.string("filter_mode", " filter_mode ", word, "");
    }
    if (sources) print_sources(family, sources.bytes());
    if (protocol) {
        const auto name = format_name(context_.names, NameKind::protocol, protocol.u8());
        const bool blank = !context_.has(printer_.options(), Trait::mdb_protocol_without_blank);
        printer_.string("protocol", " proto ", name, blank ? " " : "");
    }
}

// Colours a value and the words before it.
void MdbPrinter::painted(Color color, std::string_view key, std::string_view before,
                         std::string_view value) {
    printer_.paint(color);
    printer_.string(key, before, value, "");
    printer_.unpaint(color);
}

// Prints where VXLAN sends a group's packets.
void MdbPrinter::print_destination(const Attributes<newer::mdb_entry_max>& entry) {
    const Attribute destination = entry[newer::MDBA_MDB_EATTR_DST];
    if (!destination || !context_.has(printer_.options(), Trait::mdb_of_vxlan)) return;
    const uint8_t family = destination.size() == sizeof(in6_addr) ? AF_INET6 : AF_INET;
    painted(address_color(family), "dst", " dst ", format_address(family, destination.bytes()));
    for (const MdbNumber& row : mdb_numbers) {
        const Attribute value = entry[row.told];
        if (value && context_.has(printer_.options(), row.since))
            printer_.number(row.word, fmt::format(" {} ", row.word), value.u32(), "");
    }
    if (const Attribute device = entry[newer::MDBA_MDB_EATTR_IFINDEX]) {
        printer_.string("via", " via ", names_.name(device.u32()), "");
    }
}

void MdbPrinter::print_entry(uint32_t bridge, Bytes info, uint32_t vid) {
    br_mdb_entry entry{};
    if (info.size() < sizeof entry) return;
    std::memcpy(&entry, info.data(), sizeof entry);
    if (vid != 0 && entry.vid != vid) return;
    const Attributes<newer::mdb_entry_max> attributes(info.subspan(sizeof entry));
    printer_.open_object();
    printer_.json_number("index", bridge);
    painted(Color::ifname, "dev", "dev ", names_.name(bridge));
    printer_.string("port", " port ", names_.name(entry.ifindex), "");
    const Color color = address_color(family_of(entry));
    painted(color, "grp", " grp ", group_of(entry));
    if (const Attribute source = attributes[MDBA_MDB_EATTR_SOURCE]) {
        painted(color, "src", " src ", format_address(family_of(entry), source.bytes()));
    }
    const bool permanent = (entry.state & MDB_PERMANENT) != 0;
    printer_.string("state", " ", permanent ? "permanent" : "temp", "");
    if (printer_.options().details > 0) {
        print_details(family_of(entry), attributes[MDBA_MDB_EATTR_GROUP_MODE],
                      attributes[MDBA_MDB_EATTR_SRC_LIST], attributes[MDBA_MDB_EATTR_RTPROT]);
    }
    printer_.open_array("flags");
    for (const Flag& flag : flags) {
        if ((entry.flags & flag.bit) != 0 && context_.has(printer_.options(), flag.since))
            printer_.string("", " ", flag.word, "");
    }
    printer_.close_array();
    if (entry.vid != 0) printer_.number("vid", " vid ", entry.vid, "");
    print_destination(attributes);
    const Attribute timer = attributes[MDBA_MDB_EATTR_TIMER];
    if (timer && printer_.options().statistics > 0) {
        printer_.string("timer", " ", seconds(timer.u32(), 4), "");
    }
    printer_.close_object();
    printer_.line_break();
}

void MdbPrinter::print_entries(uint32_t bridge, const Attribute& mdb, uint32_t vid) {
    for (const Attribute entry : AttributeRange(mdb.bytes())) {
        for (const Attribute info : AttributeRange(entry.bytes()))
            print_entry(bridge, info.bytes(), vid);
    }
}

void MdbPrinter::print_router(std::string_view bridge, Bytes port) {
    const bool statistics = printer_.options().statistics > 0;
    if (port.size() < sizeof(uint32_t)) return;
    uint32_t ifindex;
    std::memcpy(&ifindex, port.data(), sizeof ifindex);
    const Attributes<MDBA_ROUTER_PATTR_MAX> attributes(port.subspan(sizeof ifindex));
    const Attribute type = attributes[MDBA_ROUTER_PATTR_TYPE];
    if ((type && type.u8() >= std::size(router_types)) || attributes[MDBA_ROUTER_PATTR_VID]) {
        context_.fall_back("a router port of another kind");
        return;
    }
    printer_.open_object();
    if (statistics) printer_.text(fmt::format("router ports on {}: ", bridge));
    printer_.string("port", "", names_.name(ifindex), " ");
    if (statistics) {
        if (const Attribute timer = attributes[MDBA_ROUTER_PATTR_TIMER]) {
            printer_.string("timer", "", seconds(timer.u32(), 4), "");
        }
        if (type) printer_.string("type", " ", router_types[type.u8()], "");
        printer_.text("\n");
    }
    printer_.close_object();
}

void MdbPrinter::print_routers(uint32_t bridge, Bytes ports) {
    const std::string_view name = names_.name(bridge);
    const bool statistics = printer_.options().statistics > 0;
    printer_.open_array(name);
    if (!statistics) printer_.text(fmt::format("router ports on {}: ", name));
    for (const Attribute port : AttributeRange(ports)) {
        if (port.type() == MDBA_ROUTER_PORT) print_router(name, port.bytes());
    }
    printer_.close_array();
    if (!statistics) printer_.line_break();
}

void MdbPrinter::print_event(uint32_t bridge, const Attributes<MDBA_MAX>& attributes,
                             bool deleted) {
    const std::string_view before = deleted ? "Deleted " : "";
    for (const Attribute entry : AttributeRange(attributes[MDBA_MDB].bytes())) {
        for (const Attribute info : AttributeRange(entry.bytes())) {
            printer_.text(before);
            print_entry(bridge, info.bytes(), 0);
        }
    }
    for (const Attribute port : AttributeRange(attributes[MDBA_ROUTER].bytes())) {
        if (port.type() != MDBA_ROUTER_PORT) continue;
        printer_.text(fmt::format("{}router port dev {} master {}\n", before,
                                  names_.name(port.u32()), names_.name(bridge)));
    }
}

}  // namespace nlsh
