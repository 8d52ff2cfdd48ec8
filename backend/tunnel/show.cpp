// ip tunnel show.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_arp.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <linux/sockios.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "backend/errors.h"
#include "backend/link/query.h"
#include "backend/names/devices.h"
#include "backend/render/format.h"
#include "backend/render/printer.h"
#include "backend/run.h"
#include "backend/tunnel/request.h"

namespace nlsh {
namespace {

struct ListedTunnel {
    std::string name;
    uint16_t link_type;
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
    void link(int ifindex);
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

void TunnelPrinter::head(std::string_view name, uint8_t protocol, bool ipv6) {
    std::string_view inner;
    switch (protocol) {
        case 0:
            inner = "any";
            break;
        case IPPROTO_IPIP:
            inner = "ip";
            break;
        case IPPROTO_IPV6:
            inner = "ipv6";
            break;
        case IPPROTO_GRE:
            inner = "gre";
            break;
        default:
            context_.hand_over("tunnel of an unknown mode");
    }
    printer_.string("ifname", {}, name, ": ");
    printer_.string("mode", {}, fmt::format("{}/{}", inner, ipv6 ? "ipv6" : "ip"), {});
}

// In JSON the address as it is; text may say any.
void TunnelPrinter::address(std::string_view key, uint8_t family, Bytes bytes, bool none) {
    const bool any = none && std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
    const std::string text = format_address(family, bytes);
    printer_.string(key, fmt::format(" {} ", key),
                    any && printer_.text_mode() ? std::string_view("any") : text, {});
}

void TunnelPrinter::link(int ifindex) {
    if (ifindex != 0) {
        printer_.string("dev", " dev ", names_.name(static_cast<uint32_t>(ifindex)), {});
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

void TunnelPrinter::print(const ip_tunnel_parm& tunnel, std::string_view name) {
    const iphdr& header = tunnel.iph;
    head(name, header.protocol, false);
    address("remote", AF_INET, bytes_at(header.daddr), true);
    address("local", AF_INET, bytes_at(header.saddr), true);
    link(tunnel.link);
    if (header.ttl != 0) {
        printer_.number("ttl", " ttl ", header.ttl, {});
    } else {
        printer_.text(" ttl inherit");
    }
    if ((header.tos & 1) != 0) {
        if (header.tos != 1 || printer_.json()) context_.hand_over("tunnel: inherited DS field");
        printer_.text(" tos inherit");
    } else if (header.tos != 0) {
        printer_.string(
            "tos", " tos ",
            format_name(context_.names, NameKind::dsfield, header.tos, printer_.options().numeric),
            {});
    }
    if ((header.frag_off & htons(0x4000)) == 0) printer_.null("nopmtudisc", " nopmtudisc");
    const bool potential_routers =
        header.protocol == IPPROTO_IPV6 && (tunnel.i_flags & SIT_ISATAP) != 0;
    if (potential_routers) context_.hand_over("ISATAP tunnel");
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
    link(tunnel.link);
    printer_.text(has(IP6_TNL_F_IGN_ENCAP_LIMIT)
                      ? " encaplimit none"
                      : fmt::format(" encaplimit {}", tunnel.encap_limit));
    printer_.text(tunnel.hop_limit != 0 ? fmt::format(" hoplimit {}", tunnel.hop_limit)
                                        : " hoplimit inherit");
    printer_.text(has(IP6_TNL_F_USE_ORIG_TCLASS)
                      ? " tclass inherit"
                      : fmt::format(" tclass 0x{:02x}", info >> 20 & 0xff));
    printer_.text(has(IP6_TNL_F_USE_ORIG_FLOWLABEL)
                      ? " flowlabel inherit"
                      : fmt::format(" flowlabel 0x{:05x}", info & 0xfffff));
    printer_.text(fmt::format(" (flowinfo 0x{:08x})", info));
    if (has(IP6_TNL_F_RCV_DSCP_COPY)) printer_.text(" dscp inherit");
    if (has(IP6_TNL_F_MIP6_DEV)) context_.hand_over("Mobile IPv6 tunnel");
    if (has(IP6_TNL_F_ALLOW_LOCAL_REMOTE)) printer_.text(" allow-localremote");
    keys(tunnel.i_flags, tunnel.o_flags, tunnel.i_key, tunnel.o_key);
    if (tunnel.proto == IPPROTO_GRE) gre_flags(tunnel.i_flags, tunnel.o_flags);
}

// The kernel's structure of a tunnel; nothing (and the line is handed over) when it gives none.
template <typename T>
bool get(Context& context, const std::string& name, T& tunnel) {
    std::string bytes(sizeof(T), '\0');
    if (tunnel_request(SIOCGETTUNNEL, name, bytes) != 0) {
        context.hand_over("tunnel: no answer");
        return false;
    }
    std::memcpy(&tunnel, bytes.data(), sizeof tunnel);
    return true;
}

// A SIT tunnel's 6rd prefix, where the kernel knows them.
bool has_6rd(const std::string& name) {
    std::string bytes(sizeof(ip_tunnel_6rd), '\0');
    return tunnel_request(SIOCGET6RD, name, bytes) == 0;
}

bool is_listed(uint16_t type, bool ipv6) {
    if (ipv6) return type == ARPHRD_TUNNEL6 || type == ARPHRD_IP6GRE;
    return type == ARPHRD_TUNNEL || type == ARPHRD_SIT || type == ARPHRD_IPGRE;
}

// What the links say; they are asked for one by one afterwards, as no dump may be under way then.
void list(const nlmsghdr& message, const TunnelShow& request, DeviceNames& names,
          std::vector<ListedTunnel>& tunnels) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return;
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const std::string_view name = link[IFLA_IFNAME].string();
    names.learn(static_cast<uint32_t>(header->ifi_index), name);
    if (!is_listed(header->ifi_type, request.ipv6)) return;
    if (!request.name.empty() && request.name != name) return;
    tunnels.push_back({std::string(name), header->ifi_type});
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
            context.hand_over("tunnel with a 6rd prefix");
        }
    }
    printer.close_object();
    printer.raw("\n");
}

// A tunnel over IPv6 by its name: asked for without a look at the links, and no newline after it.
int show_named(Context& context, const Options& options, Channel& channel,
               const TunnelShow& request) {
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
    if (!context.handover) printer.flush();
    return 0;
}

}  // namespace

int run(Context& context, const Options& options, const TunnelShow& request) {
    const auto channel = options.batch ? context.session.loose() : context.session.rtnl();
    if (!channel) return cannot_open_socket(context, channel.error());
    if (request.ipv6 && !request.name.empty()) {
        return show_named(context, options, **channel, request);
    }
    DeviceNames names(**channel);
    std::vector<ListedTunnel> tunnels;
    const auto take = [&](const nlmsghdr& message) {
        list(message, request, names, tunnels);
        return true;
    };
    if (request.name.empty()) {
        Message dump = link_dump_request({}, false);
        if (!(*channel)->dump(dump, take).ok() && context.hand_over("tunnel: no dump")) return 1;
    } else if (const auto link = get_link(**channel, request.name)) {
        take(**link);
    } else if (link.error().error != ENODEV && context.hand_over("tunnel: no answer")) {
        return 1;
    }
    Printer printer(*context.out, options);
    printer.begin_document();
    for (const ListedTunnel& tunnel : tunnels) {
        print_listed(context, printer, names, request, tunnel);
        if (context.handover) return 1;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
