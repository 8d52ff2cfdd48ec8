// ip maddress add, delete, show.
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <sys/socket.h>

#include <cstring>
#include <map>

#include "backend/errors.h"
#include "backend/objects/maddress/files.h"
#include "backend/objects/maddress/words/maddress.h"
#include "backend/read_file.h"
#include "backend/render/format.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

struct Source {
    uint8_t family;
    const char* path;  // in this thread's network namespace, which may differ from the process's
    void (*read)(std::string_view, std::vector<MulticastAddress>&);
};
constexpr Source sources[] = {
    {AF_PACKET, "/proc/thread-self/net/dev_mcast", read_dev_mcast},
    {AF_INET, "/proc/thread-self/net/igmp", read_igmp},
    {AF_INET6, "/proc/thread-self/net/igmp6", read_igmp6},
};

// By ifindex, in the files' order.
using AddressesByDevice = std::map<uint32_t, std::vector<MulticastAddress>>;

AddressesByDevice read_addresses(uint8_t family, const std::string& device) {
    AddressesByDevice addresses;
    for (const Source& source : sources) {
        if (family != AF_UNSPEC && family != source.family) continue;
        std::vector<MulticastAddress> read;
        source.read(read_file(source.path), read);  // empty without IPv6
        for (MulticastAddress& address : read) {
            if (!device.empty() && address.device != device) continue;
            addresses[address.ifindex].push_back(std::move(address));
        }
    }
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
        printer.address("address", {}, address.family, address.address, {});
    }
    if (address.users != 1) printer.number("users", " users ", address.users, {});
    if (address.is_static) printer.string("features", " ", "static", {});
    printer.text("\n");
    printer.close_object();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const MaddressChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    ifreq message{};
    std::memcpy(message.ifr_name, request.device.data(), request.device.size());
    std::memcpy(message.ifr_hwaddr.sa_data, request.address.data(), request.address.size());
    context.commit();
    const int error =
        channel.control(request.verb == ChangeVerb::remove ? SIOCDELMULTI : SIOCADDMULTI, &message);
    if (error == 0) return 0;
    context.refusal = {error};
    print_error(context, fmt::format("ioctl: {}\n", strerror(error)));
    return 1;
}

ExitStatus run(Context& context, const Options& options, const MaddressShow& request) {
    Printer printer(*context.out, options);
    printer.begin_document();
    bool open = false;
    const auto close = [&] {
        if (open) printer.close_array();
        if (open) printer.close_object();
    };
    for (const auto& [ifindex, addresses] : read_addresses(options.family, request.device)) {
        for (const MulticastAddress& address : addresses) {
            // With -oneline, each address has its own line and object.
            if (&address == &addresses.front() || options.oneline) {
                close();
                open = true;
                printer.open_object();
                print_device(printer, address);
                printer.line_break();
                printer.open_array("maddr");
            }
            print_address(printer, address);
            printer.flush_if_large();
        }
    }
    close();
    printer.end_document();
    return 0;
}

}  // namespace nlsh
