// ip tunnel show.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <linux/sockios.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/link/query.h"
#include "backend/objects/tunnel/request.h"
#include "backend/objects/tunnel/words/tunnel.h"
#include "backend/render/format.h"
#include "backend/render/printer.h"
#include "backend/run.h"
#include "parser/ip/bytes.h"

namespace nlsh {
namespace {

struct ListedTunnel {
    std::string name;
    uint16_t link_type;
    std::optional<rtnl_link_stats64> counters;
};

class TunnelPrinter {
  public:
    TunnelPrinter(Context& context, Printer& printer, DeviceNames& names)
        : context_(context), printer_(printer), names_(names) {}

    void print(const ip_tunnel_parm& tunnel, std::string_view name);
    void print(const ip6_tnl_parm2& tunnel, std::string_view name);

  private:
    void head(std::string_view name, uint8_t protocol, bool ipv6);
    void address(std::string_view key, uint8_t family, Bytes bytes, bool none);
    void link(std::string_view key, int ifindex);
    void service(uint8_t tos);
    void potential_routers(std::string_view name);
    void flag(bool set, std::string_view key, std::string_view text) {
        if (set) printer_.null(key, text);
    }
    void keys(uint16_t i_flags, uint16_t o_flags, uint32_t i_key, uint32_t o_key);
    void gre_flags(uint16_t i_flags, uint16_t o_flags);

    Context& context_;
    Printer& printer_;
    DeviceNames& names_;
};

template <typename T>
Bytes bytes_at(const T& value) {
    return {reinterpret_cast<const uint8_t*>(&value), sizeof value};
}

struct Mode {
    uint8_t protocol;
    std::string_view word;
};
constexpr Mode modes[] = {
    {0, "any"}, {IPPROTO_IPIP, "ip"}, {IPPROTO_IPV6, "ipv6"}, {IPPROTO_GRE, "gre"}};

void TunnelPrinter::head(std::string_view name, uint8_t protocol, bool ipv6) {
    const auto* mode = std::ranges::find(modes, protocol, &Mode::protocol);
    const bool known = mode != std::end(modes);
    if (!known) context_.fall_back("tunnel of an unknown mode");
    printer_.string("ifname", {}, name, ": ");
    printer_.string("mode", {}, fmt::format("{}/{}", known ? mode->word : "", ipv6 ? "ipv6" : "ip"),
                    {});
}

// JSON has the address itself; text may say any.
void TunnelPrinter::address(std::string_view key, uint8_t family, Bytes bytes, bool none) {
    const bool any = none && all_zero(bytes);
    const AddressText text = format_address(family, bytes);
    printer_.string(key, fmt::format(" {} ", key),
                    any && printer_.text_mode() ? "any" : text.view(), {});
}

void TunnelPrinter::link(std::string_view key, int ifindex) {
    if (ifindex != 0) {
        printer_.string(key, " dev ", names_.name(static_cast<uint32_t>(ifindex)), {});
    }
}

void TunnelPrinter::keys(uint16_t i_flags, uint16_t o_flags, uint32_t i_key, uint32_t o_key) {
    const bool input = (i_flags & GRE_KEY) != 0;
    const bool output = (o_flags & GRE_KEY) != 0;
    if (input && output && i_key == o_key) {
        printer_.number("key", " key ", ntohl(i_key), {});
        return;
    }
    if (input) printer_.number("ikey", " ikey ", ntohl(i_key), {});
    if (output) printer_.number("okey", " okey ", ntohl(o_key), {});
}

void TunnelPrinter::gre_flags(uint16_t i_flags, uint16_t o_flags) {
    struct Flag {
        bool set;
        std::string_view key, text;
    };
    const Flag flags[] = {
        {(i_flags & GRE_SEQ) != 0, "rx_drop_ooseq", "  Drop packets out of sequence."},
        {(i_flags & GRE_CSUM) != 0, "rx_csum", "  Checksum in received packet is required."},
        {(o_flags & GRE_SEQ) != 0, "tx_seq", "  Sequence packets on output."},
        {(o_flags & GRE_CSUM) != 0, "tx_csum", "  Checksum output packets."},
    };
    printer_.open_array("flags");
    for (const Flag& flag : flags) {
        if (!flag.set) continue;
        printer_.line_break();
        printer_.text(flag.text);
        printer_.json_string({}, flag.key);
    }
    printer_.close_array();
}

// The lowest bit means: copy the inner packet's field.
void TunnelPrinter::service(uint8_t tos) {
    if (tos == 0) return;
    const auto name = [&](uint8_t field) {
        return format_name(context_.names, NameKind::dsfield, field, printer_.options().numeric);
    };
    if ((tos & 1) == 0) return printer_.string("tos", " tos ", name(tos), {});
    printer_.text(" tos inherit");
    if (tos == 1) return;
    printer_.json_string("tos", name(tos));
    printer_.text("/" + name(static_cast<uint8_t>(tos & ~1)));
}

// Prints ISATAP's potential routers, at most as many as iproute2 asks for. The kernel writes them
// after the first entry, which is the question.
void TunnelPrinter::potential_routers(std::string_view name) {
    constexpr size_t most = 15;
    std::array<ip_tunnel_prl, most + 1> list{};
    list[0].datalen = most * sizeof list[0];
    std::string bytes(reinterpret_cast<const char*>(list.data()), sizeof list);
    if (tunnel_request(SIOCGETPRL, name, bytes) != 0) {
        context_.fall_back("tunnel: potential routers");
        return;
    }
    std::memcpy(list.data(), bytes.data(), sizeof list);
    const size_t count = std::min(most, list[0].datalen / sizeof list[0]);
    for (const ip_tunnel_prl& router : std::span(list).subspan(1, count)) {
        const std::string_view key = (router.flags & PRL_DEFAULT) != 0 ? "pdr" : "pr";
        printer_.string(key, fmt::format(" {} ", key),
                        format_address(AF_INET, bytes_at(router.addr)), {});
    }
}

void TunnelPrinter::print(const ip_tunnel_parm& tunnel, std::string_view name) {
    const iphdr& header = tunnel.iph;
    head(name, header.protocol, false);
    address("remote", AF_INET, bytes_at(header.daddr), true);
    address("local", AF_INET, bytes_at(header.saddr), true);
    if (header.protocol == IPPROTO_IPV6 && (tunnel.i_flags & SIT_ISATAP) != 0) {
        potential_routers(name);
    }
    link("dev", tunnel.link);
    if (header.ttl != 0) {
        printer_.number("ttl", " ttl ", header.ttl, {});
    } else {
        printer_.text(" ttl inherit");
    }
    service(header.tos);
    if ((header.frag_off & htons(0x4000)) == 0) printer_.null("nopmtudisc", " nopmtudisc");
    keys(tunnel.i_flags, tunnel.o_flags, tunnel.i_key, tunnel.o_key);
    if (header.protocol == IPPROTO_GRE) gre_flags(tunnel.i_flags, tunnel.o_flags);
}

void TunnelPrinter::print(const ip6_tnl_parm2& tunnel, std::string_view name) {
    const uint32_t info = ntohl(tunnel.flowinfo);
    const uint32_t flags = tunnel.flags;
    const auto has = [&](uint32_t flag) { return (flags & flag) != 0; };
    head(name, tunnel.proto, true);
    address("remote", AF_INET6, bytes_at(tunnel.raddr), false);
    address("local", AF_INET6, bytes_at(tunnel.laddr), false);
    link("link", tunnel.link);
    const bool no_limit = has(IP6_TNL_F_IGN_ENCAP_LIMIT);
    flag(no_limit, "ip6_tnl_f_ign_encap_limit", " encaplimit none");
    if (!no_limit) printer_.number("encap_limit", " encaplimit ", tunnel.encap_limit, {});
    if (tunnel.hop_limit != 0) {
        printer_.number("hoplimit", " hoplimit ", tunnel.hop_limit, {});
    } else {
        printer_.text(" hoplimit inherit");
    }
    const bool inner_class = has(IP6_TNL_F_USE_ORIG_TCLASS);
    flag(inner_class, "ip6_tnl_f_use_orig_tclass", " tclass inherit");
    if (!inner_class) {
        printer_.string("tclass", " tclass ", fmt::format("0x{:02x}", info >> 20 & 0xff), {});
    }
    const bool inner_label = has(IP6_TNL_F_USE_ORIG_FLOWLABEL);
    flag(inner_label, "ip6_tnl_f_use_orig_flowlabel", " flowlabel inherit");
    if (!inner_label) {
        printer_.string("flowlabel", " flowlabel ", fmt::format("0x{:05x}", info & 0xfffff), {});
    }
    printer_.string("flowinfo", " (flowinfo ", fmt::format("0x{:08x}", info), ")");
    flag(has(IP6_TNL_F_RCV_DSCP_COPY), "ip6_tnl_f_rcv_dscp_copy", " dscp inherit");
    if (has(IP6_TNL_F_MIP6_DEV)) context_.fall_back("Mobile IPv6 tunnel");
    flag(has(IP6_TNL_F_ALLOW_LOCAL_REMOTE), "ip6_tnl_f_allow_local_remote", " allow-localremote");
    keys(tunnel.i_flags, tunnel.o_flags, tunnel.i_key, tunnel.o_key);
    if (tunnel.proto == IPPROTO_GRE) gre_flags(tunnel.i_flags, tunnel.o_flags);
}

// Reads the kernel's structure of a tunnel. False: there is none, and the line falls back.
template <typename T>
bool get(Context& context, const std::string& name, T& tunnel) {
    std::string bytes(sizeof(T), '\0');
    if (tunnel_request(SIOCGETTUNNEL, name, bytes) != 0) {
        context.fall_back("tunnel: no answer");
        return false;
    }
    std::memcpy(&tunnel, bytes.data(), sizeof tunnel);
    return true;
}

// Whether the kernel has a 6rd prefix for a SIT tunnel.
bool has_6rd(const std::string& name) {
    std::string bytes(sizeof(ip_tunnel_6rd), '\0');
    return tunnel_request(SIOCGET6RD, name, bytes) == 0;
}

bool is_listed(uint16_t type, bool ipv6) {
    if (ipv6) return type == ARPHRD_TUNNEL6 || type == ARPHRD_IP6GRE;
    return type == ARPHRD_TUNNEL || type == ARPHRD_SIT || type == ARPHRD_IPGRE;
}

// Collects the links. Asking for each tunnel must wait until the dump has ended.
void list(const nlmsghdr& message, const TunnelShow& request, DeviceNames& names,
          std::vector<ListedTunnel>& tunnels) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return;
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const std::string_view name = link[IFLA_IFNAME].string();
    names.learn(static_cast<uint32_t>(header->ifi_index), name);
    if (!is_listed(header->ifi_type, request.ipv6)) return;
    if (!request.name.empty() && request.name != name) return;
    ListedTunnel tunnel{std::string(name), header->ifi_type, {}};
    if (link[IFLA_STATS64]) tunnel.counters = link[IFLA_STATS64].as<rtnl_link_stats64>();
    tunnels.push_back(std::move(tunnel));
}

// iproute2 prints text here, even between JSON objects.
void print_counters(Context& context, Printer& printer, const ListedTunnel& tunnel) {
    if (!tunnel.counters) {
        context.fall_back("tunnel: no counters");
        return;
    }
    const rtnl_link_stats64& s = *tunnel.counters;
    // No test has produced these counters.
    if (s.rx_frame_errors != 0 || s.collisions != 0 || s.tx_dropped != 0) {
        context.fall_back("tunnel: rare counters");
    }
    const std::string_view line = printer.options().oneline ? "\\" : "\n";
    printer.raw(line);
    printer.raw("RX: Packets    Bytes        Errors CsumErrs OutOfSeq Mcasts");
    printer.raw(line);
    printer.raw(fmt::format("    {:<10} {:<12} {:<6} {:<8} {:<8} {:<8}", s.rx_packets, s.rx_bytes,
                            s.rx_errors, s.rx_frame_errors, s.rx_fifo_errors, s.multicast));
    printer.raw(line);
    printer.raw("TX: Packets    Bytes        Errors DeadLoop NoRoute  NoBufs");
    printer.raw(line);
    printer.raw(fmt::format("    {:<10} {:<12} {:<6} {:<8} {:<8} {:<6}", s.tx_packets, s.tx_bytes,
                            s.tx_errors, s.collisions, s.tx_carrier_errors, s.tx_dropped));
}

void print_listed(Context& context, Printer& printer, DeviceNames& names, const TunnelShow& request,
                  const ListedTunnel& tunnel) {
    TunnelPrinter tunnels(context, printer, names);
    printer.open_object();
    if (request.ipv6) {
        ip6_tnl_parm2 parameters{};
        if (get(context, tunnel.name, parameters)) tunnels.print(parameters, tunnel.name);
    } else {
        ip_tunnel_parm parameters{};
        if (get(context, tunnel.name, parameters)) tunnels.print(parameters, tunnel.name);
        if (tunnel.link_type == ARPHRD_SIT && has_6rd(tunnel.name)) {
            context.fall_back("tunnel with a 6rd prefix");
        }
    }
    printer.close_object();
    if (printer.options().statistics > 0) print_counters(context, printer, tunnel);
    printer.raw("\n");
}

// Shows one tunnel over IPv6. As iproute2 does, this ignores the links, prints text even with -j,
// and ends without a newline.
int show_named(Context& context, Options options, Channel& channel, const TunnelShow& request) {
    options.json = false;
    std::string bytes(sizeof(ip6_tnl_parm2), '\0');
    if (const int error = tunnel_request(SIOCGETTUNNEL, request.name, bytes); error != 0) {
        print_error(context, fmt::format("get tunnel \"{}\" failed: {}\n", request.name,
                                         std::strerror(error)));
        return 1;
    }
    ip6_tnl_parm2 parameters;
    std::memcpy(&parameters, bytes.data(), sizeof parameters);
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    TunnelPrinter(context, printer, names).print(parameters, request.name);
    if (!context.fallback) printer.flush();
    return 0;
}

// iproute2 takes such names for tunnels, and asks the kernel without looking at the links.
bool is_named_by_mode(std::string_view name) {
    constexpr std::string_view words[] = {"gre", "ipip", "vti", "sit", "isatap"};
    return std::ranges::any_of(words, [&](auto word) { return name.starts_with(word); });
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const TunnelShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const bool counters = options.statistics > 0;
    if (request.ipv6 && !request.name.empty() && !counters) {
        return show_named(context, options, channel, request);
    }
    DeviceNames names(channel);
    std::vector<ListedTunnel> tunnels;
    const auto take = [&](const nlmsghdr& message) {
        list(message, request, names, tunnels);
        return true;
    };
    if (request.name.empty()) {
        Message dump = link_dump_request({}, counters);
        if (!channel.dump(dump, take).ok() && context.fall_back("tunnel: no dump")) return 1;
    } else if (const auto link = get_link(channel, request.name, counters)) {
        take(**link);
    } else if (link.error().error != ENODEV && context.fall_back("tunnel: no answer")) {
        return 1;
    }
    const bool unlisted = tunnels.empty() && !request.ipv6 && is_named_by_mode(request.name);
    if (unlisted && context.fall_back("tunnel: not in the list")) return 1;
    Printer printer(*context.out, options);
    printer.begin_document();
    for (const ListedTunnel& tunnel : tunnels) {
        print_listed(context, printer, names, request, tunnel);
        if (context.fallback) return 1;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
