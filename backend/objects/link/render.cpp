#include "backend/objects/link/render.h"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_link.h>

#include <algorithm>
#include <deque>

#include "backend/objects/link/link_words.h"
#include "backend/objects/link/statistics.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"

namespace nlsh {
namespace {

// The attributes of an AF_INET6 link dump that nlsh prints.
constexpr uint16_t inet6_attributes[] = {IFLA_IFNAME, IFLA_ADDRESS,   IFLA_MTU,
                                         IFLA_LINK,   IFLA_OPERSTATE, IFLA_TXQLEN};

constexpr std::string_view link_modes[] = {"DEFAULT", "DORMANT"};

// By IFLA_EVENT_* number.
constexpr std::string_view events[] = {
    "NONE",         "REBOOT",      "FEATURE CHANGE", "BONDING FAILOVER",
    "NOTIFY PEERS", "RESEND IGMP", "BONDING OPTION"};

Color operstate_color(uint8_t state) {
    return state == IF_OPER_UP ? Color::up : state == IF_OPER_DOWN ? Color::down : Color::none;
}

}  // namespace

Attribute LinkAttributes::operator[](uint16_t type) const {
    const bool hidden = view_ == LinkView::address_inet6 &&
                        std::ranges::find(inet6_attributes, type) == std::end(inet6_attributes);
    return hidden ? Attribute{} : table_[type];
}

void LinkPrinter::learn(const nlmsghdr& message) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return;
    const auto ifindex = static_cast<uint32_t>(header->ifi_index);
    flags_[ifindex] = header->ifi_flags;
    Attribute name;
    for (const Attribute attribute : AttributeRange(attribute_bytes<ifinfomsg>(message))) {
        if (attribute.type() != IFLA_IFNAME) continue;
        name = attribute;  // the first one
        break;
    }
    names_.learn(ifindex, name ? name.string() : std::string_view());
}

void LinkPrinter::forget(const nlmsghdr& message) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return;
    flags_.erase(static_cast<uint32_t>(header->ifi_index));
    names_.forget(static_cast<uint32_t>(header->ifi_index));
}

bool LinkPrinter::needs_lookup(const nlmsghdr& message) {
    const LinkAttributes link(message, view_);
    const uint32_t lower = link[IFLA_LINK].u32();
    if (link.name_a_namespace() && namespaces_.needs_lookup()) return true;
    if (link[IFLA_LINK_NETNSID]) return false;
    return lower != 0 && !flags_.contains(lower);
}

// A lower device that the kernel doesn't report counts as up.
bool LinkPrinter::lower_is_down(const LinkAttributes& link) {
    const uint32_t lower = link[IFLA_LINK].u32();
    if (lower == 0 || link[IFLA_LINK_NETNSID]) return false;
    const auto [place, fresh] = flags_.try_emplace(lower, IFF_UP);
    if (fresh) {
        const auto found = get_link(channel_, lower);
        const auto* header = found ? family_header<ifinfomsg>(**found) : nullptr;
        if (header) place->second = header->ifi_flags;
    }
    return (place->second & IFF_UP) == 0;
}

// NAME, NAME@LOWER, NAME@ifN of another namespace, NAME@NONE.
std::string LinkPrinter::full_name(const Link& link) {
    std::string text(link.attributes[IFLA_IFNAME].string());
    if (const Attribute lower = link.attributes[IFLA_LINK]) {
        const bool elsewhere = static_cast<bool>(link.attributes[IFLA_LINK_NETNSID]);
        text.append("@").append(lower_name(names_, lower.u32(), elsewhere));
    }
    return text;
}

void LinkPrinter::name(const Link& link, std::string_view after) {
    if (printer_.text_mode()) {
        printer_.paint(Color::ifname);
        printer_.text(after == ": " ? full_name(link) : fmt::format("{:<16}", full_name(link)));
        printer_.text(after);
        printer_.unpaint(Color::ifname);
        return;
    }
    if (const Attribute lower = link.attributes[IFLA_LINK]) {
        if (lower.u32() == 0) {
            printer_.json_null("link");
        } else if (link.attributes[IFLA_LINK_NETNSID]) {
            printer_.json_number("link_index", lower.u32());
        } else {
            printer_.json_string("link", names_.name(lower.u32()));
        }
    }
    printer_.json_string("ifname", link.attributes[IFLA_IFNAME].string());
}

void LinkPrinter::flags(const Link& link) {
    const uint32_t set = link.header.ifi_flags;
    std::string_view separator;
    const auto print = [&](std::string_view word) {
        printer_.string({}, separator, word, {});
        separator = ",";
    };
    printer_.open_array("flags");
    printer_.text("<");
    if ((set & IFF_UP) != 0 && (set & IFF_RUNNING) == 0) print("NO-CARRIER");
    for (const LinkFlag& flag : link_flags()) {
        if ((set & flag.bit) != 0) print(flag.name);
    }
    if (lower_is_down(link.attributes)) printer_.string({}, ",", "M-DOWN", {});
    printer_.text("> ");
    printer_.close_array();
}

void LinkPrinter::brief(const Link& link) {
    name(link, " ");
    if (const Attribute state = link.attributes[IFLA_OPERSTATE]) {
        const std::string_view word = operstate_name(state.u8()).value_or("");
        if (printer_.json()) {
            printer_.json_string("operstate", word);
        } else {
            printer_.string(operstate_color(state.u8()), {}, {}, fmt::format("{:<14}", word), " ");
        }
    }
    if (view_ != LinkView::link) return;
    if (const Attribute address = link.attributes[IFLA_ADDRESS]) {
        printer_.string(Color::mac, "address", {},
                        format_link_address(address.bytes(), link.header.ifi_type), " ");
    }
    flags(link);
    printer_.text("\n");
}

void LinkPrinter::first_line(const Link& link) {
    const LinkAttributes& attributes = link.attributes;
    printer_.number("ifindex", {}, static_cast<uint32_t>(link.header.ifi_index), ": ");
    name(link, ": ");
    flags(link);
    print_number(printer_, attributes[IFLA_MTU], "mtu", "mtu ");
    print_string(printer_, attributes[IFLA_QDISC], "qdisc", "qdisc ");
    if (const Attribute master = attributes[IFLA_MASTER])
        printer_.string("master", "master ", names_.name(master.u32()), " ");
    if (const Attribute state = attributes[IFLA_OPERSTATE]) {
        printer_.string(operstate_color(state.u8()), "operstate", "state ",
                        operstate_name(state.u8()).value_or(""), " ");
    }
    if (const Attribute mode = attributes[IFLA_LINKMODE]; mode && view_ == LinkView::link) {
        printer_.string("linkmode", "mode ", link_modes[mode.u8() & 1], " ");
    }
    if (const Attribute group = attributes[IFLA_GROUP]) {
        printer_.string(
            "group", "group ",
            format_name(context_.names, NameKind::group, group.u32(), printer_.options().numeric),
            " ");
    }
    const auto length = attributes[IFLA_TXQLEN].as<int32_t>();
    const bool sent = view_ != LinkView::address_inet6 ||
                      !context_.has(printer_.options(), Trait::no_ioctl_for_queue_length);
    if (length != 0 && view_ != LinkView::monitor && sent) {
        printer_.signed_number("txqlen", "qlen ", length, {});
    }
    if (attributes[IFLA_EVENT]) event(link);
}

// Prints the cause of a notification.
void LinkPrinter::event(const Link& link) {
    const uint32_t number = link.attributes[IFLA_EVENT].u32();
    if (number < std::size(events)) {
        printer_.string("event", "event ", events[number], " ");
    } else {
        printer_.number("event", "event ", number, " ");
    }
}

void LinkPrinter::print(const nlmsghdr& message) {
    const auto* header = family_header<ifinfomsg>(message);
    const bool gone = message.nlmsg_type == RTM_DELLINK;
    if (header == nullptr || (!gone && message.nlmsg_type != RTM_NEWLINK)) return;
    if (gone) printer_.boolean("deleted", "Deleted ");
    const Link link{.header = *header, .attributes = LinkAttributes(message, view_)};
    if (const auto reason = unprintable(link)) {
        if (context_.fall_back(std::string(*reason))) return;
    }
    if (printer_.options().brief) return brief(link);
    first_line(link);
    if (shows_hardware()) hardware_line(link);
    lower_namespace(link);
    if (printer_.options().details > 0) details(link);
    after_details(link);
    printer_.text("\n");
}

void LinkPrinter::print_statistics(const nlmsghdr& message) {
    if (view_ == LinkView::address_inet6) {
        // An AF_INET6 dump has other counters (see /proc/net/snmp6).
        context_.fall_back("IPv6 counters");
        return;
    }
    if (!print_link_statistics(printer_, LinkAttributes(message, view_))) {
        context_.fall_back("counters of compressed packets");
    }
    printer_.text("\n");
}

Verdict dump_links(Channel& channel, Message& request, LinkPrinter& links,
                   const Channel::Receive& give) {
    std::deque<KeptMessage> held;  // links from the first one that must wait for a later link
    bool wanted = true;
    const auto release = [&](bool all) {
        while (wanted && !held.empty() && (all || !links.needs_lookup(*held.front()))) {
            wanted = give(*held.front());
            held.pop_front();
        }
    };
    const Verdict verdict = channel.dump(request, [&](const nlmsghdr& message) {
        links.learn(message);
        release(false);
        if (!held.empty() || links.needs_lookup(message)) {
            held.emplace_back(message);
        } else if (wanted) {
            wanted = give(message);
        }
        return wanted;
    });
    release(true);
    return verdict;
}

}  // namespace nlsh
