#include "backend/objects/address/render.h"

#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/address/words/flags.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"

namespace nlsh {
namespace {

constexpr uint32_t known_flags() {
    uint32_t known = IFA_F_SECONDARY;
    for (const AddressFlag& flag : address_flags)
        known |= flag.bit;
    return known;
}

bool same(Attribute left, Attribute right) {
    return std::ranges::equal(left.bytes(), right.bytes());
}

}  // namespace

void AddressRenderer::prefix(const Address& address) const {
    const uint8_t family = address.header->ifa_family;
    if (const Attribute local = address.local()) {
        printer.address("local", "", family, local.bytes(), "");
        if (const Attribute peer = address.peer(); !same(local, peer))
            printer.address("address", " peer ", family, peer.bytes(), "");
        printer.number("prefixlen", "/", address.header->ifa_prefixlen, " ");
    }
    print_number(printer, address.attributes[IFA_RT_PRIORITY], "metric", "metric ");
}

bool AddressRenderer::flags(const Address& address) const {
    const uint32_t flags = address.flags();
    const auto print = [&](std::string_view name) { printer.boolean(name, with_blank(name)); };
    if ((flags & IFA_F_SECONDARY) != 0) {
        print(address.header->ifa_family == AF_INET6 ? "temporary" : "secondary");
    }
    for (const AddressFlag& flag : address_flags) {
        if (flag.shown && ((flags & flag.bit) != 0) == flag.set) print(flag.word);
    }
    return (flags & ~known_flags()) == 0;
}

void AddressRenderer::lifetimes(const Address& address) const {
    const Attribute attribute = address.attributes[IFA_CACHEINFO];
    if (!attribute) return;
    const auto cache = attribute.as<ifa_cacheinfo>();
    const auto forever = [&](const char* key, const char* before) {
        printer.json_number(key, UINT32_MAX);
        printer.text(before);
        printer.text("forever");
    };
    printer.line_break();
    if (cache.ifa_valid == UINT32_MAX) {
        forever("valid_life_time", "       valid_lft ");
    } else {
        printer.number("valid_life_time", "       valid_lft ", cache.ifa_valid, "sec");
    }
    if (cache.ifa_prefered == UINT32_MAX) {
        forever("preferred_life_time", " preferred_lft ");
    } else if ((address.flags() & IFA_F_DEPRECATED) != 0) {
        printer.signed_number("preferred_life_time", " preferred_lft ",
                              static_cast<int32_t>(cache.ifa_prefered), "sec");
    } else {
        printer.number("preferred_life_time", " preferred_lft ", cache.ifa_prefered, "sec");
    }
}

void AddressRenderer::details(const Address& address) const {
    const uint8_t family = address.header->ifa_family;
    const auto other = [&](uint16_t type, const char* key, const char* before) {
        if (const Attribute attribute = address.attributes[type])
            printer.address(key, before, family, attribute.bytes(), " ");
    };
    other(IFA_BROADCAST, "broadcast", "brd ");
    other(IFA_ANYCAST, "anycast", "any ");
    other(IFA_MULTICAST, "multicast", "mcast ");
    printer.string(
        "scope", "scope ",
        format_name(names, NameKind::scope, address.header->ifa_scope, printer.options().numeric),
        " ");
}

// False: nlsh doesn't know whether iproute2 would print it.
bool AddressRenderer::protocol(const Address& address) const {
    const Attribute attribute = address.attributes[IFA_PROTO];
    if (!attribute) return true;
    const Traits::Answer printed = printer.options().traits[Trait::address_protocol];
    if (printed != Traits::Answer::yes) return printed == Traits::Answer::no;
    const uint8_t number = attribute.u8();
    if (number == 0 && printer.text_mode()) return true;
    const std::string name =
        format_name(names, NameKind::address_protocol, number, printer.options().numeric);
    printer.string("protocol", "proto ", name, " ");
    return true;
}

bool AddressRenderer::print(const Address& address) const {
    const uint8_t family = address.header->ifa_family;
    if (family != AF_INET && family != AF_INET6) return false;
    if (printer.options().brief) {
        prefix(address);
        return true;
    }
    if (printer.options().oneline || with_device) {
        printer.number("index", "", address.header->ifa_index, ": ");
        printer.string("dev", "", devices.name(address.header->ifa_index), "");
    }
    printer.string("family", "    ", family == AF_INET ? "inet" : "inet6", " ");
    prefix(address);
    details(address);
    bool known = flags(address);
    known = protocol(address) && known;
    print_string(printer, address.attributes[IFA_LABEL], "label", "", "");
    lifetimes(address);
    printer.text("\n");
    return known;
}

}  // namespace nlsh
