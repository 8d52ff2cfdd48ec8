// ip tuntap add | delete | show.
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <expected>

#include "backend/descriptor.h"
#include "backend/errors.h"
#include "backend/objects/link/query.h"
#include "backend/objects/tunnel/words/tuntap.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

int failed(Context& context, std::string_view call) {
    print_error(context, fmt::format("{}: {}\n", call, std::strerror(errno)));
    return 1;
}

// Reads a number from a file of a device, or returns the errno of the open.
std::expected<int64_t, int> read_property(const std::string& path) {
    const Descriptor file = open_file(path.c_str(), O_RDONLY);
    if (file.get() < 0) return std::unexpected(errno);
    char text[64];
    const ssize_t size = read(file.get(), text, sizeof text);
    const char* start = text;
    const char* end = text + (size > 0 ? size : 0);
    const int base = end - start > 2 && start[0] == '0' && start[1] == 'x' ? 16 : 10;
    if (base == 16) start += 2;
    int64_t value = 0;
    std::from_chars(start, end, value, base);
    return value;
}

struct Property {
    uint32_t bit;
    bool set;
    std::string_view name;
};
constexpr Property properties[] = {
    {IFF_TUN, true, "tun"},
    {IFF_TAP, true, "tap"},
    {IFF_NO_PI, false, "pi"},
    {IFF_ONE_QUEUE, true, "one_queue"},
    {IFF_MULTI_QUEUE, true, "multi_queue"},
    {IFF_VNET_HDR, true, "vnet_hdr"},
    {IFF_PERSIST, true, "persist"},
    {IFF_NOFILTER, false, "filter"},
};
// IFF_NOFILTER is the same bit as IFF_NO_PI.
constexpr uint32_t known_flags =
    IFF_TUN | IFF_TAP | IFF_NO_PI | IFF_ONE_QUEUE | IFF_MULTI_QUEUE | IFF_VNET_HDR | IFF_PERSIST;

void print_device(Context& context, Printer& printer, std::string_view name) {
    const std::string folder = fmt::format("/sys/class/net/{}/", name);
    for (const std::string_view file : {"tun_flags", "owner", "group"}) {
        const std::string path = folder + std::string(file);
        if (const auto value = read_property(path); !value) {
            print_error(context, fmt::format("fopen {}: {}\n", path, std::strerror(value.error())));
            return;
        }
    }
    const auto flags = static_cast<uint32_t>(read_property(folder + "tun_flags").value_or(0));
    const auto owner = read_property(folder + "owner").value_or(-1);
    const auto group = read_property(folder + "group").value_or(-1);
    context.needs(printer.options(), Trait::words_of_5_15);
    if ((flags & ~known_flags) != 0) context.fall_back("tun device with other flags");
    printer.open_object();
    printer.string("ifname", {}, name, ":");
    printer.open_array("flags");
    for (const Property& property : properties) {
        if (((flags & property.bit) != 0) != property.set) continue;
        printer.string({}, " ", property.name, {});
    }
    printer.close_array();
    if (owner != -1) printer.signed_number("user", " user ", owner, {});
    if (group != -1) printer.signed_number("group", " group ", group, {});
    printer.text("\n");
    printer.close_object();
}

}  // namespace

// The device gets the network namespace of the thread that opens /dev/net/tun. This thread is in
// its caller's namespace.
ExitStatus run(Context& context, const Options&, const TuntapChange& request) {
    ifreq message{};
    std::memcpy(message.ifr_name, request.name.data(), request.name.size());
    message.ifr_flags = static_cast<short>(request.flags);
    context.commit();
    const Descriptor file = open_file("/dev/net/tun", O_RDWR);
    if (file.get() < 0) return failed(context, "open");
    if (ioctl(file.get(), TUNSETIFF, &message) != 0) return failed(context, "ioctl(TUNSETIFF)");
    const auto set = [&](unsigned long call, unsigned long value) {
        return ioctl(file.get(), call, value) == 0;
    };
    if (request.owner && !set(TUNSETOWNER, *request.owner)) {
        return failed(context, "ioctl(TUNSETOWNER)");
    }
    if (request.group && !set(TUNSETGROUP, *request.group)) {
        return failed(context, "ioctl(TUNSETGROUP)");
    }
    if (!set(TUNSETPERSIST, request.persist ? 1 : 0)) {
        return failed(context, "ioctl(TUNSETPERSIST)");
    }
    return 0;
}

ExitStatus run(Context& context, const Options& options, const TuntapShow&) {
    Channel& channel = TRY(open_channel(context, options));
    LinkFilter filter;
    filter.kind = "tun";
    Message dump = link_dump_request(filter, false);
    Printer printer(*context.out, options);
    printer.begin_document();
    const Verdict verdict = channel.dump(dump, [&](const nlmsghdr& message) {
        const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
        if (filter.passes(message)) print_device(context, printer, link[IFLA_IFNAME].string());
        return !context.fallback;
    });
    if (!verdict.ok()) context.fall_back("tuntap: no dump");
    if (context.fallback) return 1;
    printer.end_document();
    return 0;
}

}  // namespace nlsh
