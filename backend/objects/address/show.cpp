// `ip address show` loads the addresses first, then prints each link with its own. `flush` works in
// rounds of a dump and deletions, until a round finds nothing.
#include <fmt/format.h>
#include <fnmatch.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/errors.h"
#include "backend/net/prefix.h"
#include "backend/objects/address/render.h"
#include "backend/objects/address/words/address.h"
#include "backend/objects/link/render.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// An address without a label counts as labelled with its device's name.
bool label_fits(const std::string& pattern, const Address& address, DeviceNames& devices) {
    const Attribute label = address.attributes[IFA_LABEL];
    const std::string text(label ? label.string() : devices.name(address.header->ifa_index));
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

// Whether an address passes the filter. Doesn't check the filter's links.
bool address_matches(const Address& address, const AddressFilter& filter, DeviceNames& devices) {
    if (filter.family != 0 && filter.family != address.header->ifa_family) return false;
    if (((filter.flags ^ address.flags()) & filter.flag_mask) != 0) return false;
    if (filter.scope && *filter.scope != address.header->ifa_scope) return false;
    if (filter.label && !label_fits(*filter.label, address, devices)) return false;
    const Attribute protocol = address.attributes[IFA_PROTO];
    if (filter.protocol && protocol && protocol.u8() != *filter.protocol) return false;
    const Attribute local = address.local();
    return !filter.to || (local && prefix_contains(*filter.to, local.bytes()));
}

// Consecutive copies of messages.
class KeptAddresses {
  public:
    void keep(const nlmsghdr& message) {
        bytes_.append(reinterpret_cast<const char*>(&message), message.nlmsg_len);
        bytes_.append(NLMSG_ALIGN(message.nlmsg_len) - message.nlmsg_len, '\0');
    }
    // Calls give(Address) for each address until it returns true; false: it never did.
    bool any(const auto& give) const {
        for (size_t at = 0; at < bytes_.size();) {
            const auto& message = *reinterpret_cast<const nlmsghdr*>(bytes_.data() + at);
            if (give(Address(message))) return true;
            at += NLMSG_ALIGN(message.nlmsg_len);
        }
        return false;
    }

  private:
    std::string bytes_;
};

// Addresses by ifindex, in the kernel's order.
using AddressTable = std::unordered_map<uint32_t, KeptAddresses>;
// The family's addresses of one device, or of all devices (ifindex 0).
Verdict dump_addresses(Channel& channel, uint8_t family, uint32_t ifindex, AddressTable& table) {
    auto header = of_family<ifaddrmsg>(family);
    header.ifa_index = ifindex;
    Message request(RTM_GETADDR, 0, header);
    return channel.dump(request, [&](const nlmsghdr& message) {
        const auto* address = family_header<ifaddrmsg>(message);
        if (address && (ifindex == 0 || address->ifa_index == ifindex)) {
            table[address->ifa_index].keep(message);
        }
        return true;
    });
}

class AddressShower {
  public:
    AddressShower(Context& context, const Options& options, Channel& channel,
                  const AddressFilter& filter, const LinkFilter& links, Printer& printer)
        : context_(context),
          options_(options),
          channel_(channel),
          filter_(filter),
          links_(links),
          printer_(printer),
          link_printer_(context, channel, printer, view()),
          addresses_{.printer = printer,
                     .devices = link_printer_.names(),
                     .names = context.names,
                     .with_device = options.echo} {}

    int show_all();
    int show_one(std::string_view name);

  private:
    // With -6, iproute2 dumps less data about links.
    LinkView view() const {
        const bool reduced = options_.family == AF_INET6 && filter_.links.device.empty();
        return reduced ? LinkView::address_inet6 : LinkView::address;
    }
    bool links_only() const { return filter_.family == AF_PACKET; }
    bool prints_link() const { return !options_.oneline || options_.brief || links_only(); }
    Message dump_request() const;
    Verdict load(uint32_t ifindex);
    bool wanted(uint32_t ifindex);
    bool filter_group_first(const nlmsghdr& link);
    void print_addresses(const nlmsghdr& link);
    void print_link(const nlmsghdr& link);
    int finish();

    Context& context_;
    const Options& options_;
    Channel& channel_;
    const AddressFilter& filter_;
    const LinkFilter& links_;
    Printer& printer_;
    LinkPrinter link_printer_;
    AddressRenderer addresses_;
    AddressTable table_;
};

// With -4, iproute2 asks the kernel for all links, without a filter.
Message AddressShower::dump_request() const {
    const bool statistics = options_.statistics > 0;
    return link_dump_request(options_.family == AF_UNSPEC ? links_ : LinkFilter{}, statistics);
}

Verdict AddressShower::load(uint32_t ifindex) {
    return links_only() ? Verdict{} : dump_addresses(channel_, filter_.family, ifindex, table_);
}

int AddressShower::finish() {
    if (context_.fallback) return 1;
    printer_.end_document();
    return 0;
}

// A link is listed if one of its addresses matches. Without -4 or -6, links without addresses are
// listed, too.
bool AddressShower::wanted(uint32_t ifindex) {
    const auto found = table_.find(ifindex);
    if (found == table_.end()) return filter_.family == AF_UNSPEC || links_only();
    return found->second.any([&](const Address& address) {
        return address_matches(address, filter_, link_printer_.names());
    });
}

bool AddressShower::filter_group_first(const nlmsghdr& link) {
    return links_.is_of_another_group(link) && context_.has(options_, Trait::group_filter_first);
}

void AddressShower::print_addresses(const nlmsghdr& link) {
    const auto* header = family_header<ifinfomsg>(link);
    const bool is_up = (header->ifi_flags & IFF_UP) != 0;
    const bool hidden = (filter_.links.up && !is_up) || (filter_.links.down && is_up);
    const auto found = table_.find(static_cast<uint32_t>(header->ifi_index));
    printer_.open_array("addr_info");
    if (found != table_.end() && !hidden) {
        found->second.any([&](const Address& address) {
            // JSON has an empty object for an address that the filter rejects.
            printer_.open_object();
            if (address_matches(address, filter_, link_printer_.names()) &&
                !addresses_.print(address)) {
                context_.fall_back("address: unknown flag or family");
            }
            printer_.close_object();
            return false;
        });
    }
    printer_.close_array();
    if (options_.brief) printer_.text("\n");
}

void AddressShower::print_link(const nlmsghdr& link) {
    const auto* header = family_header<ifinfomsg>(link);
    if (!header || !wanted(static_cast<uint32_t>(header->ifi_index))) return;
    if (filter_group_first(link)) return;
    printer_.open_object();
    if (!prints_link()) {
        print_addresses(link);
    } else if (links_.passes(link)) {
        if (!filter_.label) link_printer_.print(link);
        if (!links_only()) print_addresses(link);
        const bool statistics = options_.statistics > 0 && !options_.brief && !filter_.label;
        if (statistics) link_printer_.print_statistics(link);
    }
    printer_.close_object();
}

int AddressShower::show_one(std::string_view name) {
    const auto link = find_link(context_, options_, channel_, name, "address show: no answer");
    if (!link) return link.error();
    link_printer_.learn(**link);
    const Verdict loaded = load(static_cast<uint32_t>(family_header<ifinfomsg>(**link)->ifi_index));
    if (dump_failed(context_, printer_, loaded)) return 1;
    printer_.begin_document();
    print_link(**link);
    return finish();
}

int AddressShower::show_all() {
    if (dump_failed(context_, printer_, load(0))) return 1;
    printer_.begin_document();
    Message request = dump_request();
    const Verdict verdict = dump_links(channel_, request, link_printer_, [&](const nlmsghdr& link) {
        print_link(link);
        return !context_.fallback && printer_.flush_if_large();
    });
    if (context_.fallback) return 1;
    if (!verdict.ok() && context_.fall_back("address show: the dump failed")) return 1;
    if (dump_failed(context_, printer_, verdict)) return 1;
    return finish();
}

constexpr int max_rounds = 10;

// Finds the addresses that pass the filter, in the kernel's order.
Verdict find_addresses(Channel& channel, const AddressFilter& filter, uint32_t ifindex,
                       std::vector<KeptMessage>& found) {
    auto header = of_family<ifaddrmsg>(filter.family);
    header.ifa_index = ifindex;
    Message request(RTM_GETADDR, 0, header);
    std::vector<KeptMessage> all;
    const Verdict verdict = channel.dump(request, [&](const nlmsghdr& message) {
        const auto* address = family_header<ifaddrmsg>(message);
        if (address && (ifindex == 0 || address->ifa_index == ifindex)) all.emplace_back(message);
        return true;
    });
    // A label may need a device's name, which needs the same socket.
    DeviceNames devices(channel);
    for (KeptMessage& message : all) {
        if (address_matches(Address(*message), filter, devices)) {
            found.push_back(std::move(message));
        }
    }
    return verdict;
}

// The number of deleted addresses, or the exit status.
std::expected<size_t, int> flush_round(Context& context, Channel& channel,
                                       const AddressFilter& filter, uint32_t ifindex) {
    std::vector<KeptMessage> doomed;
    if (!print_dump_verdict(context, find_addresses(channel, filter, ifindex, doomed))) {
        print_error(context, "Flush terminated\n");
        return std::unexpected(1);
    }
    if (!doomed.empty()) context.commit();
    for (const KeptMessage& address : doomed) {
        // No error: a secondary address goes with its primary one.
        Message message = repeated<ifaddrmsg>(RTM_DELADDR, *address);
        const Verdict verdict = channel.change(message);
        if (verdict.error != EPERM) continue;
        print_error(context,
                    fmt::format("Failed to send flush request: {}\n", strerror(verdict.error)));
        return std::unexpected(255);
    }
    return doomed.size();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const AddressShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const AddressFilter& filter = request.filter;
    const auto links = TRY(resolve_filter(context, options, channel, filter.links));
    // `to` implies a family, which hides the line of the hardware address.
    Options shown = options;
    shown.family = filter.family;
    Printer printer(*context.out, shown);
    AddressShower shower(context, options, channel, filter, links, printer);
    return filter.links.device.empty() ? shower.show_all() : shower.show_one(filter.links.device);
}

ExitStatus run(Context& context, const Options& options, const AddressFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    const std::string& device = request.filter.links.device;
    const uint32_t ifindex =
        TRY(find_wanted_device(context, options, channel, device, device_does_not_exist));
    const auto say = [&](const std::string& text) {
        if (options.statistics > 0) context.out->write(text);
    };
    const auto say_complete = [&](int rounds) {
        say(fmt::format("*** Flush is complete after {} round{} ***\n", rounds,
                        rounds > 1 ? "s" : ""));
        return 0;
    };
    for (int round = 1; round <= max_rounds; round++) {
        const size_t deleted = TRY(flush_round(context, channel, request.filter, ifindex));
        if (deleted == 0 && round == 1) say("Nothing to flush.\n");
        if (deleted == 0) return round == 1 ? 0 : say_complete(round - 1);
        say(fmt::format("\n*** Round {}, deleting {} addresses ***\n", round, deleted));
        if (request.one_round) return say_complete(round);
    }
    return 0;
}

}  // namespace nlsh
