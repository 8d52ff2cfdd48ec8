// ip tunnel add | change | delete | prl | 6rd.
#include <fmt/format.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>
#include <linux/sockios.h>
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/tunnel/request.h"
#include "backend/objects/tunnel/words/tunnel.h"
#include "backend/run.h"

namespace nlsh {
namespace {

constexpr int usage_error = 255;
constexpr uint16_t vti = 1;  // VTI_ISVTI

// The words of iproute2's errors.
struct Failure {
    uint32_t request;
    std::string_view word;
};
constexpr Failure failures[] = {{SIOCADDTUNNEL, "add"},
                                {SIOCCHGTUNNEL, "add"},
                                {SIOCDELTUNNEL, "delete"},
                                {SIOCGETTUNNEL, "get"}};

int failed(Context& context, uint32_t request, std::string_view device, int error) {
    const char* text = std::strerror(error);
    const auto* failure = std::ranges::find(failures, request, &Failure::request);
    print_error(context,
                failure != std::end(failures)
                    ? fmt::format("{} tunnel \"{}\" failed: {}\n", failure->word, device, text)
                    : fmt::format("{}: ioctl {:x} failed: {}\n", device, request, text));
    return 1;
}

template <typename T>
T as(const std::string& bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

std::string merged(std::string old, const TunnelChange& request) {
    for (size_t i = 0; i < old.size() && i < request.mask.size(); ++i) {
        const char mask = request.mask[i];
        old[i] = static_cast<char>((old[i] & ~mask) | (request.parameters[i] & mask));
    }
    return old;
}

// Refuses a second mode, as iproute2 does after it has looked up the tunnel (IPv4). Returns the
// status, or 0.
int refuse_mode(Context& context, const std::string& old, const TunnelChange& request) {
    const auto before = as<ip_tunnel_parm>(old).iph.protocol;
    const auto mask = as<ip_tunnel_parm>(request.mask).iph.protocol;
    const auto wanted = as<ip_tunnel_parm>(request.parameters).iph.protocol;
    if (mask == 0 || before == 0 || before == wanted) return 0;
    print_error(context, "You managed to ask for more than one tunnel mode.\n");
    return usage_error;
}

int refuse_options(Context& context, const std::string& bytes) {
    const auto parameters = as<ip_tunnel_parm>(bytes);
    const auto flags = static_cast<uint16_t>(parameters.i_flags | parameters.o_flags);
    const bool keyed = (flags & GRE_KEY) != 0;
    if (keyed && parameters.iph.protocol != IPPROTO_GRE && (flags & vti) == 0) {
        print_error(context, "Keys are not allowed with ipip and sit tunnels\n");
        return 1;
    }
    if (parameters.iph.ttl == 0 || parameters.iph.frag_off != 0) return 0;
    print_error(context, "ttl != 0 and nopmtudisc are incompatible\n");
    return 1;
}

// ip tunnel has no mode for tunnels that carry anything, or MPLS; ip link can make them.
int refuse_unknown_mode(Context& context, const std::string& bytes) {
    constexpr uint8_t known[] = {IPPROTO_IPIP, IPPROTO_GRE, IPPROTO_IPV6};
    const uint8_t protocol = as<ip_tunnel_parm>(bytes).iph.protocol;
    if (std::ranges::find(known, protocol) != std::end(known)) return 0;
    print_error(context, "cannot determine tunnel mode (ipip, gre, vti or sit)\n");
    return 1;
}

void put_link(std::string& parameters, bool ipv6, uint32_t ifindex) {
    const size_t offset = ipv6 ? offsetof(ip6_tnl_parm2, link) : offsetof(ip_tunnel_parm, link);
    std::memcpy(parameters.data() + offset, &ifindex, sizeof ifindex);
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const TunnelChange& request) {
    std::string parameters = request.parameters;
    const bool change = request.request == SIOCCHGTUNNEL;
    if (change) {
        std::string old(parameters.size(), '\0');
        const int error = tunnel_request(SIOCGETTUNNEL, request.device, old);
        // The kernel's answer crashes iproute2 here.
        if (error == EOVERFLOW && context.fall_back("tunnel: one over IPv6")) return 1;
        if (error != 0) return failed(context, SIOCGETTUNNEL, request.device, error);
        if (!request.ipv6) {
            if (const int status = refuse_mode(context, old, request); status != 0) return status;
        }
        parameters = merged(std::move(old), request);
    }
    if (change && !request.ipv6) {
        if (const int status = refuse_options(context, parameters); status != 0) return status;
    }
    if (!request.link.empty()) {
        Channel& channel = TRY(open_channel(context, options));
        const uint32_t ifindex = TRY(require_device(context, options, channel, request.link));
        put_link(parameters, request.ipv6, ifindex);
    }
    if (change && !request.ipv6) {
        if (const int status = refuse_unknown_mode(context, parameters); status != 0) return status;
    }
    context.commit();
    const int error = tunnel_request(request.request, request.device, parameters);
    return error == 0 ? 0 : failed(context, request.request, request.device, error);
}

}  // namespace nlsh
