// Prints one message of a monitor by its object's own printer.
#pragma once

#include "backend/address/render.h"
#include "backend/link/render.h"
#include "backend/neighbor/render.h"
#include "backend/nexthop/render.h"
#include "backend/route/print.h"
#include "backend/rule/rule.h"
#include "parser/ip/monitor.h"

namespace nlsh {

class MonitorPrinter {
  public:
    MonitorPrinter(Context& context, const Options& options, Channel& channel,
                   const Monitor& monitor)
        : context_(context),
          channel_(channel),
          monitor_(monitor),
          printer_(*context.out, options) {}

    // What the real one knows of links from its start.
    void learn_links();
    // Nothing for what isn't listened to.
    void print(const nlmsghdr& message);

    void link(const nlmsghdr& message);
    void address(const nlmsghdr& message);
    void route(const nlmsghdr& message);
    void neighbor(const nlmsghdr& message);
    void fdb(const nlmsghdr& message);
    void rule(const nlmsghdr& message);
    void netconf(const nlmsghdr& message);
    void nsid(const nlmsghdr& message);
    void nexthop(const nlmsghdr& message);

  private:
    Context& context_;
    Channel& channel_;
    const Monitor& monitor_;
    Printer printer_;
    const RouteFilter everything_;
    LinkPrinter links_{context_, channel_, printer_, LinkView::monitor};
    AddressRenderer addresses_{printer_, links_.names(), context_.names, true};
    RoutePrinter routes_{context_, links_.names(), printer_, everything_};
    NeighborRenderer neighbors_{printer_, links_.names(), context_.names};
    NexthopPrinter nexthops_{context_, links_.names(), printer_};
};

}  // namespace nlsh
