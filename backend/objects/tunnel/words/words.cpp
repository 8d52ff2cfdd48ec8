#include "backend/objects/tunnel/words/words.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>

#include "backend/objects/tunnel/words/layout.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Mode {
    std::string_view word;
    uint8_t protocol;
    std::string_view device;  // the fallback device
    uint16_t i_flags = 0;
};
constexpr Mode ipv4_modes[] = {
    {"ipip", IPPROTO_IPIP, "tunl0"},
    {"ip/ip", IPPROTO_IPIP, "tunl0"},
    {"gre", IPPROTO_GRE, "gre0"},
    {"gre/ip", IPPROTO_GRE, "gre0"},
    {"sit", IPPROTO_IPV6, "sit0"},
    {"ipv6/ip", IPPROTO_IPV6, "sit0"},
    {"isatap", IPPROTO_IPV6, "sit0", SIT_ISATAP},
    {"vti", IPPROTO_IPIP, "ip_vti0", tunnel_is_vti},
};
constexpr Mode ipv6_modes[] = {
    {"ip6ip6", IPPROTO_IPV6, "ip6tnl0"},
    {"ipv6/ipv6", IPPROTO_IPV6, "ip6tnl0"},
    {"vti6", IPPROTO_IPV6, "ip6_vti0", tunnel_is_vti},
    {"ipip6", IPPROTO_IPIP, "ip6tnl0"},
    {"ip4ip6", IPPROTO_IPIP, "ip6tnl0"},
    {"ip/ipv6", IPPROTO_IPIP, "ip6tnl0"},
    {"ipv4/ipv6", IPPROTO_IPIP, "ip6tnl0"},
    {"ip6gre", IPPROTO_GRE, "ip6gre0"},
    {"gre/ipv6", IPPROTO_GRE, "ip6gre0"},
    {"any", 0, "ip6tnl0"},
    {"any/ipv6", 0, "ip6tnl0"},
};

}  // namespace

TunnelWords::TunnelWords(const ParseContext& context, bool change)
    : names_(context.names),
      traits_(context.options.traits),
      ipv6_(context.options.family == AF_INET6),
      change_(change),
      value_(tunnel_layout(ipv6_).size, '\0'),
      mask_(tunnel_layout(ipv6_).size, '\0') {
    if (change) return;
    if (ipv6_) {
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

const TunnelWords::Option* TunnelWords::find_option(std::string_view word, bool ipv6) {
    for (const auto rows : {both_options(), ipv6 ? ipv6_options() : ipv4_options()}) {
        const auto row = std::ranges::find(rows, word, &Option::word);
        if (row != rows.end()) return &*row;
    }
    return nullptr;
}

Parsed<std::string> TunnelWords::parse_name(std::string_view word, bool ipv6) {
    const auto is_keyword = [&](const Option& option) { return matches(word, option.word); };
    if (std::ranges::any_of(both_options(), is_keyword) ||
        std::ranges::any_of(ipv4_options(), is_keyword) ||
        (ipv6 && std::ranges::any_of(ipv6_options(), is_keyword)) || word.starts_with("6rd") ||
        word.starts_with("prl") || matches(word, "help")) {
        return declined("tunnel: a name like a keyword");
    }
    return parse_device(word);
}

Parsed<void> TunnelWords::read_name(const Option&, std::string_view word) {
    // iproute2 looks up a changed tunnel when it reads the name. The answer then replaces all
    // earlier words.
    const bool late = std::ranges::any_of(mask_, [](char bits) { return bits != 0; });
    if (!name_.empty() && !change_) return garbage(traits_, "name", word);
    if (!name_.empty() || (change_ && (late || !link_.empty()))) return declined("tunnel: name");
    auto name = TRY(parse_device(word));
    name_ = std::move(name);
    if (!change_) set(0, name_);
    return {};
}

Parsed<void> TunnelWords::read_mode(const Option&, std::string_view word) {
    const auto modes = ipv6_ ? std::span<const Mode>(ipv6_modes) : ipv4_modes;
    const auto mode = std::ranges::find(modes, word, &Mode::word);
    if (mode == modes.end()) {
        const bool other =
            std::ranges::find(ipv4_modes, word, &Mode::word) != std::end(ipv4_modes) ||
            std::ranges::find(ipv6_modes, word, &Mode::word) != std::end(ipv6_modes);
        if ((other && !ipv6_) || change_ || !is_plain_value(word)) return declined("tunnel: mode");
        return refused(fmt::format("Unknown tunnel mode \"{}\"\n", word));
    }
    const TunnelLayout& layout = tunnel_layout(ipv6_);
    set(layout.protocol, {reinterpret_cast<const char*>(&mode->protocol), 1});
    if (mode->i_flags != 0) set_bits(layout.i_flags, mode->i_flags, true);
    if (!ipv6_ && !fallback_.empty()) return declined("tunnel: two modes");
    fallback_ = mode->device;
    return {};
}

Parsed<void> TunnelWords::read(Arguments arguments) {
    bool mode = false;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const Option* option = find_option(word, ipv6_);
        if (option == nullptr) {
            TRY(read_name({}, TRY(parse_name(word, ipv6_))));
            continue;
        }
        if (option->read == &TunnelWords::read_mode) {
            // iproute2 refuses a second known mode, unless both are the same.
            const std::string_view next = arguments.empty() ? "" : arguments.peek();
            const auto second = std::ranges::find(ipv4_modes, next, &Mode::word);
            const bool other = second != std::end(ipv4_modes) &&
                               second->protocol != at<uint8_t>(tunnel_layout4.protocol);
            if (mode && other && !change_ && !ipv6_)
                return refused("You managed to ask for more than one tunnel mode.\n");
            if (mode) return declined("tunnel: two modes");
            mode = true;
        }
        auto value = option->alone ? Parsed<std::string_view>("") : arguments.value(word);
        const auto read = value ? (this->*option->read)(*option, *value)
                                : Parsed<void>(std::unexpected(std::move(value.error())));
        if (read) continue;
        // iproute2 looks up a changed tunnel when it reads the name. The look-up's error may come
        // first.
        const bool asked = change_ && !name_.empty();
        return std::unexpected(asked ? unexplained(read.error()) : read.error());
    }
    return {};
}

Parsed<void> TunnelWords::check_new(bool add) const {
    if (ipv6_) return {};
    const auto flags = static_cast<uint16_t>(at<uint16_t>(tunnel_layout4.i_flags) |
                                             at<uint16_t>(tunnel_layout4.o_flags));
    const bool keyed = (flags & GRE_KEY) != 0;
    const auto protocol = at<uint8_t>(tunnel_layout4.protocol);
    const bool is_vti =
        protocol == IPPROTO_IPIP && (flags & tunnel_is_vti) != 0;  // ISATAP uses the same bit
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
