// Prints a monitor's messages, each by the printer of its object.
#pragma once

#include "backend/objects/address/render.h"
#include "backend/objects/bridge/mdb_entry.h"
#include "backend/objects/link/render.h"
#include "backend/objects/monitor/words/monitor.h"
#include "backend/objects/neighbor/render.h"
#include "backend/objects/nexthop/render.h"
#include "backend/objects/route/print.h"
#include "backend/objects/rule/rule.h"

namespace nlsh {

class MonitorPrinter {
  public:
    // device: print only messages that concern this device; 0: all.
    MonitorPrinter(Context& context, const Options& options, Channel& channel,
                   const Monitor& monitor, uint32_t device)
        : context_(context),
          channel_(channel),
          monitor_(monitor),
          printer_(*context.out, options),
          device_(device) {}

    // Reads the names of links, as iproute2 does at its start.
    void learn_links();
    // Reads the names of namespaces. False: a file isn't a namespace.
    bool learn_namespaces() { return links_.namespaces().load(); }

    // Prints a message that the monitor listens to. nsid: the number of the message's namespace, -1
    // for this one.
    void print(const nlmsghdr& message, int32_t nsid);

    // Each prints one kind of message, after the prefix.
    void link(const nlmsghdr& message);
    void address(const nlmsghdr& message);
    void route(const nlmsghdr& message);
    void neighbor(const nlmsghdr& message);
    void rule(const nlmsghdr& message);
    void netconf(const nlmsghdr& message);
    void nsid(const nlmsghdr& message);
    void nexthop(const nlmsghdr& message);
    void bucket(const nlmsghdr& message);
    void prefix(const nlmsghdr& message);
    void statistics(const nlmsghdr& message);
    // bridge's messages (bridge.cpp):
    void port(const nlmsghdr& message);
    void fdb(const nlmsghdr& message);
    void mdb(const nlmsghdr& message);
    void vlan(const nlmsghdr& message);
    void vni(const nlmsghdr& message);

  private:
    bool concerns_device(const nlmsghdr& message) const;
    void track(const nlmsghdr& message);
    void other(const nlmsghdr& message);
    void head(std::string_view label, int32_t nsid);
    void multicast_route(const rtmsg& header, const Attributes<RTA_MAX>& route);

    Context& context_;
    Channel& channel_;
    const Monitor& monitor_;
    Printer printer_;
    const uint32_t device_;
    const RouteFilter filter_{RouteShow{}, 0, device_, 0,
                              printer_.options().traits.has(Trait::monitor_filters_first)};
    LinkPrinter links_{context_, channel_, printer_, LinkView::monitor};
    AddressRenderer addresses_{printer_, links_.names(), context_.names, true};
    RoutePrinter routes_{context_, links_.names(), printer_, filter_};
    NeighborRenderer neighbors_ =
        neighbor_renderer(context_, printer_, links_.names(), device_ != 0);
    NexthopPrinter nexthops_{context_, links_.names(), printer_};
    MdbPrinter groups_{context_, links_.names(), printer_};
};

}  // namespace nlsh
