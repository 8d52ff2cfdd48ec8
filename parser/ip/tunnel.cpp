#include "parser/ip/tunnel.h"

#include <linux/if.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <linux/sockios.h>
#include <netinet/in.h>

#include <cstring>

#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/ip/tunnel_words.h"

namespace nlsh {
namespace {

Parsed<ObjectResult> finished(const TunnelWords& words, uint32_t request, const char* verb) {
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
    return ObjectResult{std::move(change), verb, false};
}

// Without -4 and -6 a mode over IPv6 makes it an IPv6 tunnel, from the word `mode` on.
Parsed<TunnelWords> read_words(ParseContext& context, Arguments arguments, bool change) {
    const uint8_t family = context.options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("tunnel: family");
    }
    TunnelWords words(family == AF_INET6, change);
    if (const auto read = words.read(context, arguments); !read) {
        return std::unexpected(read.error());
    }
    return words;
}

Parsed<ObjectResult> parse_add(ParseContext& context, Arguments arguments) {
    const auto words = read_words(context, arguments, false);
    if (!words) return std::unexpected(words.error());
    if (words->ipv6() && words->name().empty()) return declined("tunnel: no name");
    if (const auto good = words->check_new(); !good) return std::unexpected(good.error());
    return finished(*words, SIOCADDTUNNEL, "add");
}

Parsed<ObjectResult> parse_change(ParseContext& context, Arguments arguments) {
    const auto words = read_words(context, arguments, true);
    if (!words) return std::unexpected(words.error());
    if (words->name().empty()) return declined("tunnel: no name");
    if (const auto good = words->check_remote(); !good) return std::unexpected(good.error());
    return finished(*words, SIOCCHGTUNNEL, "change");
}

Parsed<ObjectResult> parse_delete(ParseContext& context, Arguments arguments) {
    const auto words = read_words(context, arguments, false);
    if (!words) return std::unexpected(words.error());
    if (words->ipv6() && words->name().empty()) return declined("tunnel: no name");
    if (const auto good = words->check_new(); !good) return std::unexpected(good.error());
    return finished(*words, SIOCDELTUNNEL, "delete");
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    const Options& options = context.options;
    TunnelShow show;
    if (options.family != AF_UNSPEC && options.family != AF_INET && options.family != AF_INET6) {
        return declined("tunnel: family");
    }
    show.ipv6 = options.family == AF_INET6;
    if (!arguments.empty()) {
        const auto name = TunnelWords::parse_name(arguments.take(), show.ipv6);
        if (!name) return std::unexpected(name.error());
        if (!arguments.empty()) return declined("tunnel: a filter");
        show.name = *name;
    }
    return ObjectResult{std::move(show), "show", true};
}

// Potential routers of ISATAP: dev NAME and one address.
Parsed<ObjectResult> parse_prl(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_INET6) return declined("tunnel: prl");
    TunnelChange change;
    ip_tunnel_prl entry{};
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        if (word == "dev") {
            const auto name = parse_device(*value);
            if (!name || !change.device.empty()) return declined("tunnel: device");
            change.device = *name;
            continue;
        }
        const bool standard = word == "prl-default";
        const bool remove = word == "prl-delete";
        if (!standard && !remove && word != "prl-nodefault") return declined("tunnel: prl");
        if (change.request != 0) return declined("tunnel: two entries");
        const auto address = parse_address(*value, AF_INET);
        if (!address || address->size != 4) return declined("tunnel: address");
        std::memcpy(&entry.addr, address->bytes.data(), sizeof entry.addr);
        if (standard) entry.flags = PRL_DEFAULT;
        change.request = remove ? SIOCDELPRL : SIOCADDPRL;
    }
    if (change.request == 0 || change.device.empty()) return declined("tunnel: prl");
    change.parameters.assign(reinterpret_cast<const char*>(&entry), sizeof entry);
    return ObjectResult{std::move(change), "prl", false};
}

Parsed<void> read_6rd(ip_tunnel_6rd& rapid, std::string_view word, std::string_view value) {
    const bool relay = word == "6rd-relay_prefix";
    if (!relay && word != "6rd-prefix") return declined("tunnel: 6rd");
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
Parsed<ObjectResult> parse_6rd(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_INET6) return declined("tunnel: 6rd");
    TunnelChange change;
    ip_tunnel_6rd rapid{};
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const uint32_t request = word == "6rd-reset" ? SIOCDEL6RD : SIOCADD6RD;
        if (word != "dev") {
            if (change.request != 0 && change.request != request) return declined("tunnel: 6rd");
            change.request = request;
            if (request == SIOCDEL6RD) continue;
        }
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        if (word == "dev") {
            const auto name = parse_device(*value);
            if (!name || !change.device.empty()) return declined("tunnel: device");
            change.device = *name;
        } else if (const auto read = read_6rd(rapid, word, *value); !read) {
            return std::unexpected(read.error());
        }
    }
    if (change.request == 0 || change.device.empty()) return declined("tunnel: 6rd");
    change.parameters.assign(reinterpret_cast<const char*>(&rapid), sizeof rapid);
    return ObjectResult{std::move(change), "6rd", false};
}

constexpr Verb verbs[] = {
    {"add", parse_add},  {"change", parse_change}, {"delete", parse_delete}, {"show", parse_show},
    {"lst", parse_show}, {"list", parse_show},     {"prl", parse_prl},       {"6rd", parse_6rd},
};

}  // namespace

Parsed<ObjectResult> parse_tunnel(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show, false);
}

}  // namespace nlsh
