#include "backend/objects/tunnel/words/tunnel.h"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <linux/sockios.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "backend/objects/tunnel/words/words.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<Request> finished(const TunnelWords& words, uint32_t request) {
    TunnelChange change;
    change.request = request;
    change.parameters = words.value();
    if (request == SIOCCHGTUNNEL) change.mask = words.mask();
    change.device = request == SIOCADDTUNNEL || words.name().empty()
                        ? std::string(words.fallback_device())
                        : words.name();
    if (change.device.empty() && request == SIOCADDTUNNEL && words.link().empty() &&
        !words.ipv6()) {
        return refused("cannot determine tunnel mode (ipip, gre, vti or sit)\n", 1);
    }
    if (change.device.empty()) return declined("tunnel: no mode");
    change.link = words.link();
    change.ipv6 = words.ipv6();
    return change;
}

// Without -4 and -6, a mode over IPv6 makes it an IPv6 tunnel, from the word `mode` on.
Parsed<TunnelWords> read_words(ParseContext& context, Arguments arguments, bool change) {
    const uint8_t family = context.options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("tunnel: family");
    }
    TunnelWords words(context, change);
    TRY(words.read(arguments));
    return words;
}

Parsed<Request> parse_add(ParseContext& context, Arguments arguments) {
    const auto words = TRY(read_words(context, arguments, false));
    if (words.ipv6() && words.name().empty()) return declined("tunnel: no name");
    TRY(words.check_new(true));
    return finished(words, SIOCADDTUNNEL);
}

Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    const auto words = TRY(read_words(context, arguments, true));
    if (words.name().empty()) return declined("tunnel: no name");
    TRY(words.check_remote());
    return finished(words, SIOCCHGTUNNEL);
}

Parsed<Request> parse_delete(ParseContext& context, Arguments arguments) {
    const auto words = TRY(read_words(context, arguments, false));
    if (words.ipv6() && words.name().empty()) return declined("tunnel: no name");
    if (arguments.empty()) return refused("delete tunnel \"\" failed: No such device\n", 1);
    TRY(words.check_new(false));
    return finished(words, SIOCDELTUNNEL);
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    const Options& options = context.options;
    TunnelShow show;
    if (options.family != AF_UNSPEC && options.family != AF_INET && options.family != AF_INET6) {
        return declined("tunnel: family");
    }
    show.ipv6 = options.family == AF_INET6;
    if (!arguments.empty()) {
        const auto name = TRY(TunnelWords::parse_name(arguments.take(), show.ipv6));
        if (!arguments.empty()) return declined("tunnel: a filter");
        show.name = name;
    }
    return show;
}

// If no word names a request, iproute2 sends ioctl 0, which fails for every device, even a missing
// one.
std::unexpected<Decline> no_request(std::string_view device) {
    return refused(fmt::format("{}: ioctl 0 failed: Inappropriate ioctl for device\n", device), 1);
}

// ISATAP's potential routers: dev NAME and one address.
Parsed<Request> parse_prl(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_INET6) return declined("tunnel: prl");
    TunnelChange change;
    ip_tunnel_prl entry{};
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const bool standard = word == "prl-default";
        const bool remove = word == "prl-delete";
        if (word != "dev" && !standard && !remove && word != "prl-nodefault") {
            return declined("tunnel: prl");
        }
        const auto value = TRY(arguments.value(word));
        if (word == "dev") {
            const auto name = parse_device(value);
            if (!name || !change.device.empty()) return declined("tunnel: device");
            change.device = *name;
            continue;
        }
        const auto address = parse_address(value, AF_INET);
        if (!address || address->size != 4) return declined("tunnel: address");
        if (change.request != 0) return refused("One PRL entry at a time\n");
        std::memcpy(&entry.addr, address->bytes.data(), sizeof entry.addr);
        if (standard) entry.flags = PRL_DEFAULT;
        change.request = remove ? SIOCDELPRL : SIOCADDPRL;
    }
    if (change.device.empty()) return refused("Must specify device\n");
    if (change.request == 0) return no_request(change.device);
    change.parameters.assign(reinterpret_cast<const char*>(&entry), sizeof entry);
    return change;
}

Parsed<void> read_6rd(ip_tunnel_6rd& rapid, std::string_view word, std::string_view value) {
    const bool relay = word == "6rd-relay_prefix";
    const auto prefix = parse_prefix(value, relay ? AF_INET : AF_INET6);
    if (!prefix || prefix->size == 0) return declined("tunnel: prefix");
    if (relay) {
        std::memcpy(&rapid.relay_prefix, prefix->bytes.data(), sizeof rapid.relay_prefix);
        rapid.relay_prefixlen = prefix->bits;
    } else {
        std::memcpy(&rapid.prefix, prefix->bytes.data(), sizeof rapid.prefix);
        rapid.prefixlen = prefix->bits;
    }
    return {};
}

// 6rd: dev NAME, and prefixes or 6rd-reset.
Parsed<Request> parse_6rd(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_INET6) return declined("tunnel: 6rd");
    TunnelChange change;
    ip_tunnel_6rd rapid{};
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const uint32_t request = word == "6rd-reset" ? SIOCDEL6RD : SIOCADD6RD;
        if (word != "dev") {
            if (request == SIOCADD6RD && word != "6rd-prefix" && word != "6rd-relay_prefix") {
                return declined("tunnel: 6rd");
            }
            if (change.request != 0 && change.request != request) return declined("tunnel: 6rd");
            change.request = request;
            if (request == SIOCDEL6RD) continue;
        }
        const auto value = TRY(arguments.value(word));
        if (word == "dev") {
            const auto name = parse_device(value);
            if (!name || !change.device.empty()) return declined("tunnel: device");
            change.device = *name;
        } else if (const auto read = read_6rd(rapid, word, value); !read) {
            return std::unexpected(read.error());
        }
    }
    if (change.device.empty()) return refused("Must specify device\n");
    if (change.request == 0) return no_request(change.device);
    change.parameters.assign(reinterpret_cast<const char*>(&rapid), sizeof rapid);
    return change;
}

constexpr auto unknown_over_ipv4 = "Command \"{}\" is unknown, try \"ip tunnel help\"\n";
constexpr auto unknown_over_ipv6 = "Command \"{}\" is unknown, try \"ip -f inet6 tunnel help\".\n";
constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_add},
    {.words = {"change"}, .parse = parse_change},
    {.words = {"delete"}, .parse = parse_delete, .is = {.memory = {.deletes_others = true}}},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = {.read_only = true}},
    {.words = {"prl"}, .parse = parse_prl},
    {.words = {"6rd"}, .parse = parse_6rd},
};
constexpr Verbs verb_table{.rows = verbs, .refusal = {}};

Parsed<Request> parse_tunnel(ParseContext& context, Arguments arguments) {
    const uint8_t family = context.options.family;
    if (family == AF_PACKET) {
        // A mode over IPv6 makes this a tunnel over IPv6.
        const Words words = arguments.rest();
        const bool mode = std::ranges::find(words, "mode") != words.end();
        if (mode) return declined("tunnel: family");
        return refused("Unsupported protocol family: 17\n");
    }
    if (arguments.empty()) return parse_verb(verb_table, context, arguments);
    const bool ipv6 = family == AF_INET6;
    const std::string_view word = arguments.peek();
    const auto is_verb = [&](const Verb& verb) {
        const bool ipv4_only = verb.parse == parse_prl || verb.parse == parse_6rd;
        return takes_word(verb, word) && !(ipv6 && ipv4_only);
    };
    if (std::ranges::none_of(verbs, is_verb) && !matches(word, "help")) {
        // A mode over IPv6 anywhere in the line makes this a tunnel over IPv6.
        const Words words = arguments.rest();
        if (!ipv6 && std::ranges::find(words, "mode") != words.end()) {
            return declined("tunnel: a mode of an unknown verb");
        }
        return refused(ipv6 ? fmt::format(unknown_over_ipv6, word)
                            : fmt::format(unknown_over_ipv4, word));
    }
    return parse_verb(verb_table, context, arguments);
}

}  // namespace

const Object tunnel_object{
    .words = {"tunnel", "tunl"}, .name = "tunnel", .verbs = verb_table, .parse = parse_tunnel};

// All verbs of l2tp fall back.
constexpr Verb l2tp_verbs[] = {
    {.words = {"add"}},
    {.words = {"delete"}, .is = {.memory = {.deletes_others = true}}},
    {.words = {"show", "list", "lst"}},
};
const Object l2tp_object{
    .words = {"l2tp"}, .name = "l2tp", .verbs = {.rows = l2tp_verbs, .refusal = {}}};

}  // namespace nlsh
