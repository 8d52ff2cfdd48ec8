// Selects routes from a dump. The kernel filters at most by table, device and protocol, and not at
// all on a socket without strict checking. So iproute2 and nlsh check each route.
#pragma once

#include "backend/objects/route/route.h"
#include "backend/objects/route/words/route.h"

namespace nlsh {

class RouteFilter {
  public:
    // Passes all routes and hides no field (`ip route get`).
    RouteFilter() = default;
    // oif and iif are the ifindexes of show.oif and show.iif; 0: none. `table` is the vrf's, or
    // show.table. hops: check the devices of multipath hops, too.
    RouteFilter(const RouteShow& show, uint32_t table, uint32_t oif, uint32_t iif,
                bool hops = false)
        : show_(show), table_(table), oif_(oif), iif_(iif), hops_(hops) {}

    bool passes(const Route& route);
    bool passes_devices(const Route& route) const;

    const RouteShow& show() const { return show_; }
    uint32_t table() const { return table_; }
    uint32_t oif() const { return oif_; }
    uint32_t iif() const { return iif_; }

  private:
    bool passes_table(const Route& route);
    bool passes_numbers(const Route& route) const;
    bool passes_gateway(const Route& route) const;

    RouteShow show_;
    uint32_t table_ = 0;
    uint32_t oif_ = 0;
    uint32_t iif_ = 0;
    bool hops_ = false;
    bool several_tables_ = false;  // an IPv6 route outside main was seen
};

}  // namespace nlsh
