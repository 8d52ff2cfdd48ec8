#include "parser/ip/tunnel/words.h"
#include "parser/ip/refusal.h"
#include "parser/ip/tunnel/modes.h"
#include "parser/ip/tunnel/options.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace nlsh {

namespace {

using Option = TunnelOption;

constexpr size_t in = tunnel_in, out = tunnel_out;
constexpr uint16_t vti = tunnel_is_vti;
constexpr uint32_t max_flow_label = 0xfffff;

std::span<const Option> options_of(bool ipv6) {
    return ipv6 ? std::span<const Option>(ipv6_tunnel_options) : ipv4_tunnel_options;
}

const TunnelLayout& layout_of(bool ipv6) {
    return ipv6 ? tunnel_layout6 : tunnel_layout4;
}

Parsed<std::string> read_key(std::string_view word) {
    uint32_t key;
    if (word.find('.') == word.npos) {
        const auto number = parse_u32(word);
        if (!number) return std::unexpected(number.error());
        key = htonl(*number);
    } else {
        const auto address = parse_address(word, AF_INET);
        if (!address) return std::unexpected(unexplained(address.error()));
        std::memcpy(&key, address->bytes.data(), sizeof key);
    }
    return std::string(reinterpret_cast<const char*>(&key), sizeof key);
}

Parsed<std::string> read_endpoint(std::string_view word, bool ipv6) {
    const auto address = parse_address(word, ipv6 ? AF_INET6 : AF_INET);
    if (!address && ipv6) return std::unexpected(address.error());
    if (!address && !address.error().message.empty()) {
        return refused(fmt::format("Error: an IP address is expected rather than \"{}\"\n", word),
                       1);
    }
    if (!address) return std::unexpected(unexplained(address.error()));
    const size_t size = ipv6 ? 16 : 4;
    return std::string(reinterpret_cast<const char*>(address->bytes.data()), size);
}

}  // namespace

TunnelWords::TunnelWords(bool ipv6, bool change)
    : ipv6_(ipv6),
      change_(change),
      value_(layout_of(ipv6).size, '\0'),
      mask_(layout_of(ipv6).size, '\0') {
    if (change) return;
    if (ipv6) {
        ip6_tnl_parm2 parameters{};
        parameters.proto = IPPROTO_IPV6;
        parameters.encap_limit = IPV6_DEFAULT_TNL_ENCAP_LIMIT;
        parameters.hop_limit = 64;
        std::memcpy(value_.data(), &parameters, sizeof parameters);
        fallback_ = "ip6tnl0";
    } else {
        ip_tunnel_parm parameters{};
        parameters.iph.version = 4;
        parameters.iph.ihl = 5;
        parameters.iph.frag_off = htons(0x4000);
        std::memcpy(value_.data(), &parameters, sizeof parameters);
    }
}

void TunnelWords::set(size_t offset, std::string_view bytes) {
    std::copy(bytes.begin(), bytes.end(), value_.begin() + static_cast<ptrdiff_t>(offset));
    std::fill_n(mask_.begin() + static_cast<ptrdiff_t>(offset), bytes.size(), '\xff');
}

template <typename T>
T TunnelWords::at(size_t offset) const {
    T value;
    std::memcpy(&value, value_.data() + offset, sizeof value);
    return value;
}

template <typename T>
void TunnelWords::set_bits(size_t offset, T bits, bool on) {
    T known;
    std::memcpy(&known, mask_.data() + offset, sizeof known);
    const T value = static_cast<T>(on ? at<T>(offset) | bits : at<T>(offset) & ~bits);
    known = static_cast<T>(known | bits);
    std::memcpy(value_.data() + offset, &value, sizeof value);
    std::memcpy(mask_.data() + offset, &known, sizeof known);
}

Parsed<std::string> TunnelWords::parse_name(std::string_view word, bool ipv6) {
    const auto is_keyword = [&](const Option& option) { return matches(word, option.word); };
    if (std::ranges::any_of(options_of(ipv6), is_keyword) ||
        std::ranges::any_of(ipv4_tunnel_options, is_keyword) || word.starts_with("6rd") ||
        word.starts_with("prl") || matches(word, "help")) {
        return declined("tunnel: a name like a keyword");
    }
    return parse_device(word);
}

Parsed<void> TunnelWords::take_name(std::string_view word) {
    // A change asks for the tunnel where its name stands: what stood before is lost.
    const bool late = std::ranges::any_of(mask_, [](char bits) { return bits != 0; });
    if (!name_.empty() && !change_) return garbage("name", word);
    if (!name_.empty() || (change_ && (late || !link_.empty()))) return declined("tunnel: name");
    auto name = parse_device(word);
    if (!name) return std::unexpected(name.error());
    name_ = std::move(*name);
    if (!change_) set(0, name_);
    return {};
}

Parsed<void> TunnelWords::read_mode(std::string_view word) {
    const auto modes = ipv6_ ? std::span<const TunnelMode>(ipv6_tunnel_modes) : ipv4_tunnel_modes;
    const auto mode = std::ranges::find(modes, word, &TunnelMode::word);
    if (mode == modes.end()) {
        const bool other = std::ranges::find(ipv4_tunnel_modes, word, &TunnelMode::word) !=
                               std::end(ipv4_tunnel_modes) ||
                           std::ranges::find(ipv6_tunnel_modes, word, &TunnelMode::word) !=
                               std::end(ipv6_tunnel_modes);
        if ((other && !ipv6_) || change_ || !is_plain_value(word)) return declined("tunnel: mode");
        return refused(fmt::format("Unknown tunnel mode \"{}\"\n", word));
    }
    const TunnelLayout& layout = layout_of(ipv6_);
    set(layout.protocol, {reinterpret_cast<const char*>(&mode->protocol), 1});
    if (mode->i_flags != 0) set_bits(layout.i_flags, mode->i_flags, true);
    if (!ipv6_ && !fallback_.empty()) return declined("tunnel: two modes");
    fallback_ = mode->device;
    return {};
}

Parsed<void> TunnelWords::read(ParseContext& context, Arguments arguments) {
    bool mode = false;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const auto options = options_of(ipv6_);
        const auto option = std::ranges::find(options, word, &Option::word);
        if (option != options.end()) {
            if (option->takes == Takes::mode) {
                if (mode && !change_)
                    return refused("You managed to ask for more than one tunnel mode.\n");
                if (mode) return declined("tunnel: two modes");
                mode = true;
            }
            if (const auto read = read_option(*option, context, arguments); !read) return read;
            continue;
        }
        const auto name = parse_name(word, ipv6_);
        if (!name) return std::unexpected(name.error());
        if (const auto taken = take_name(*name); !taken) return taken;
    }
    return {};
}

Parsed<void> TunnelWords::read_option(const Option& option, ParseContext& context,
                                      Arguments& arguments) {
    const TunnelLayout& layout = layout_of(ipv6_);
    const auto place = [&](bool incoming) { return (option.place & (incoming ? in : out)) != 0; };
    if (option.takes == Takes::flag) {
        const auto bits = static_cast<uint16_t>(option.bits);
        if (place(true)) set_bits(layout.i_flags, bits, true);
        if (place(false)) set_bits(layout.o_flags, bits, true);
        return {};
    }
    if (option.takes == Takes::discover) {
        const uint16_t fragment = option.bits != 0 ? htons(0x4000) : 0;
        set(option.place, {reinterpret_cast<const char*>(&fragment), sizeof fragment});
        return {};
    }
    if (option.takes == Takes::local_remote) {
        set_bits(ipv6_flags, uint32_t{IP6_TNL_F_ALLOW_LOCAL_REMOTE}, option.bits != 0);
        return {};
    }
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const bool inherit = *word == "inherit";
    const auto byte = [&](uint32_t value) { return std::string(1, static_cast<char>(value)); };
    switch (option.takes) {
        case Takes::mode:
            return read_mode(*word);
        case Takes::name:
            return take_name(*word);
        case Takes::link: {
            auto link = parse_device(*word);
            if (!link || !link_.empty()) return declined("tunnel: device");
            link_ = std::move(*link);
            return {};
        }
        case Takes::address: {
            const auto address = read_endpoint(*word, ipv6_);
            if (!address && change_) return std::unexpected(unexplained(address.error()));
            if (!address) return std::unexpected(address.error());
            set(option.place, *address);
            return {};
        }
        case Takes::key: {
            const auto key = read_key(*word);
            if (!key && key.error().bad_value && !change_) {
                return refused(
                    fmt::format("invalid value for \"{}\": \"{}\"; it should be an "
                                "unsigned integer\n",
                                option.word, *word));
            }
            if (!key) return std::unexpected(unexplained(key.error()));
            if (place(true)) set(layout.i_key, *key);
            if (place(true)) set_bits(layout.i_flags, uint16_t{GRE_KEY}, true);
            if (place(false)) set(layout.o_key, *key);
            if (place(false)) set_bits(layout.o_flags, uint16_t{GRE_KEY}, true);
            return {};
        }
        case Takes::ttl: {
            if (inherit && !ipv6_) return {};  // what a change finds stays
            const auto ttl = inherit ? Parsed<uint8_t>(bad_value("tunnel: TTL")) : parse_u8(*word);
            if (!ttl && change_) return std::unexpected(ttl.error());
            if (!ttl) {
                const char* complaint = ipv6_ ? "invalid TTL" : "invalid TTL\n";
                return std::unexpected(with_complaint(ttl.error(), *word, complaint));
            }
            set(option.place, byte(*ttl));
            return {};
        }
        case Takes::dscp:
            if (!inherit && !change_ && is_plain_value(*word))
                return std::unexpected(
                    with_complaint(bad_value("tunnel: dscp").error(), *word, "not inherit"));
            if (!inherit) return declined("tunnel: dscp");
            set_bits(ipv6_flags, uint32_t{IP6_TNL_F_RCV_DSCP_COPY}, true);
            return {};
        case Takes::encap_limit: {
            const bool none = *word == "none";
            set_bits(ipv6_flags, uint32_t{IP6_TNL_F_IGN_ENCAP_LIMIT}, none);
            if (none) return {};
            const auto limit = parse_u8(*word);
            if (!limit) return std::unexpected(limit.error());
            set(ipv6_limit, byte(*limit));
            return {};
        }
        case Takes::flow_label: {
            const auto label =
                inherit ? Parsed<uint32_t>(uint32_t{0}) : parse_u32(*word, max_flow_label);
            if (!label && change_) return std::unexpected(label.error());
            if (!label)
                return std::unexpected(with_complaint(label.error(), *word, "invalid Flowlabel"));
            set_bits(ipv6_flags, uint32_t{IP6_TNL_F_USE_ORIG_FLOWLABEL}, inherit);
            set_bits(ipv6_flow, htonl(max_flow_label), false);
            set_bits(ipv6_flow, htonl(*label), true);
            return {};
        }
        case Takes::tos:
        case Takes::traffic:
            break;
        default:
            return declined("tunnel: option");
    }
    const auto field = context.names.value(NameKind::dsfield, *word);
    if (!inherit && (!field || *field > 255)) return declined("tunnel: DS field");
    if (option.takes == Takes::tos) {
        set(ipv4_tos, byte(inherit ? 1 : *field));
        return {};
    }
    set_bits(ipv6_flags, uint32_t{IP6_TNL_F_USE_ORIG_TCLASS}, inherit);
    set_bits(ipv6_flow, htonl(0xffu << 20), false);
    if (!inherit) set_bits(ipv6_flow, htonl(*field << 20), true);
    return {};
}

Parsed<void> TunnelWords::check_new(bool add) const {
    if (ipv6_) return {};
    const auto flags = static_cast<uint16_t>(at<uint16_t>(tunnel_layout4.i_flags) |
                                             at<uint16_t>(tunnel_layout4.o_flags));
    const bool keyed = (flags & GRE_KEY) != 0;
    const auto protocol = at<uint8_t>(tunnel_layout4.protocol);
    const bool is_vti = protocol == IPPROTO_IPIP && (flags & vti) != 0;  // ISATAP's bit is the same
    if (keyed && protocol != IPPROTO_GRE && !is_vti) {
        if (!link_.empty()) return declined("tunnel: key");
        return refused("Keys are not allowed with ipip and sit tunnels\n", 1);
    }
    const bool no_discovery = at<uint8_t>(ipv4_ttl) != 0 && at<uint16_t>(ipv4_fragment) == 0;
    const bool no_source =
        (at<uint8_t>(ipv4_remote) & 0xf0) == 0xe0 && at<uint32_t>(ipv4_local) == 0;
    if (!link_.empty() && (no_discovery || no_source)) return declined("tunnel: dev");
    if (no_source) return refused("A broadcast tunnel requires a source address\n", 1);
    if (add && no_discovery) return refused("ttl != 0 and nopmtudisc are incompatible\n", 1);
    return check_remote();
}

Parsed<void> TunnelWords::check_remote() const {
    if (!ipv6_ && (at<uint8_t>(ipv4_remote) & 0xf0) == 0xe0) return declined("tunnel: multicast");
    return {};
}

}  // namespace nlsh
