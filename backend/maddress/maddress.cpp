// ip maddress add, delete, show.
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "backend/errors.h"
#include "backend/file.h"
#include "backend/maddress/files.h"
#include "backend/render/format.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

struct Source {
    uint8_t family;
    const char* path;  // of this thread's network namespace, which may not be the process's
    void (*read)(std::string_view, std::vector<MulticastAddress>&);
};
constexpr Source sources[] = {
    {AF_PACKET, "/proc/thread-self/net/dev_mcast", read_dev_mcast},
    {AF_INET, "/proc/thread-self/net/igmp", read_igmp},
    {AF_INET6, "/proc/thread-self/net/igmp6", read_igmp6},
};

// Empty when there is none: no IPv6.
std::string read_file(const char* path) {
    std::string text;
    const File file(path);
    char block[4096];
    for (ssize_t got; (got = read(file.get(), block, sizeof block)) > 0;)
        text.append(block, static_cast<size_t>(got));
    return text;
}

std::vector<MulticastAddress> read_addresses(uint8_t family, const std::string& device) {
    std::vector<MulticastAddress> addresses;
    for (const Source& source : sources) {
        if (family == AF_UNSPEC || family == source.family) {
            source.read(read_file(source.path), addresses);
        }
    }
    std::erase_if(addresses, [&](const MulticastAddress& address) {
        return !device.empty() && address.device != device;
    });
    std::ranges::stable_sort(addresses, {}, &MulticastAddress::ifindex);
    return addresses;
}

void print_device(Printer& printer, const MulticastAddress& address) {
    printer.number("ifindex", {}, address.ifindex, ":");
    printer.paint(Color::ifname);
    printer.string("ifname", "\t", address.device, {});
    printer.unpaint(Color::ifname);
}

void print_address(Printer& printer, const MulticastAddress& address) {
    printer.open_object();
    if (address.family == AF_PACKET) {
        printer.string(Color::mac, "link", "\tlink  ", format_hex_bytes(address.address), {});
    } else {
        printer.string("family", "\t", address.family == AF_INET ? "inet" : "inet6",
                       address.family == AF_INET ? "  " : " ");
        printer.string(address_color(address.family), "address", {},
                       format_address(address.family, address.address), {});
    }
    if (address.users != 1) printer.number("users", " users ", address.users, {});
    if (address.is_static) printer.string("features", " ", "static", {});
    printer.text("\n");
    printer.close_object();
}

}  // namespace

int run(Context& context, const Options&, const MaddressChange& request) {
    const auto channel = context.session.rtnl();
    if (!channel) return cannot_open_socket(context, channel.error());
    ifreq message{};
    std::memcpy(message.ifr_name, request.device.data(), request.device.size());
    std::memcpy(message.ifr_hwaddr.sa_data, request.address.data(), request.address.size());
    context.commit();
    const int error = (*channel)->control(request.add ? SIOCADDMULTI : SIOCDELMULTI, &message);
    if (error == 0) return 0;
    context.refusal = {error};
    print_error(context, fmt::format("ioctl: {}\n", strerror(error)));
    return 1;
}

int run(Context& context, const Options& options, const MaddressShow& request) {
    const auto addresses = read_addresses(options.family, request.device);
    Printer printer(*context.out, options);
    printer.begin_document();
    uint32_t open = 0;
    for (const MulticastAddress& address : addresses) {
        if (address.ifindex != open || options.oneline) {
            if (open != 0) printer.close_array();
            if (open != 0) printer.close_object();
            open = address.ifindex;
            printer.open_object();
            print_device(printer, address);
            if (!options.oneline) printer.text("\n");
            printer.open_array("maddr");
        }
        if (options.oneline) printer.text("\\");
        print_address(printer, address);
        printer.flush_if_large();
    }
    if (open != 0) printer.close_array();
    if (open != 0) printer.close_object();
    printer.end_document();
    return 0;
}

}  // namespace nlsh
