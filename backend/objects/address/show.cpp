// `ip address show`: loads the addresses first, then prints each link with its own.
#include <linux/if.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/objects/address/render.h"
#include "backend/objects/link/render.h"
#include "backend/run.h"

namespace nlsh {

namespace {

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

}  // namespace nlsh
