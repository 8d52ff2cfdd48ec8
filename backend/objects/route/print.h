// A route as text or JSON.
#pragma once

#include <optional>
#include <unordered_map>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/objects/route/filter.h"
#include "backend/objects/route/route.h"
#include "backend/objects/route/words/metrics.h"
#include "backend/render/printer.h"

namespace nlsh {

// The nexthop objects to which routes refer by number.
// Asks for each object once, on the session's second socket, because the first is busy with the
// dump of routes.
class NexthopObjects {
  public:
    NexthopObjects(Context& context, const Options& options)
        : context_(context), options_(options) {}
    // RTM_NEWNEXTHOP, valid as long as this object; null: the kernel gives none.
    const nlmsghdr* find(uint32_t id);

  private:
    Context& context_;
    const Options& options_;
    std::unordered_map<uint32_t, std::optional<KeptMessage>> known_;
};

class RoutePrinter {
  public:
    // Doesn't print fields that the filter fixes.
    RoutePrinter(Context& context, DeviceNames& devices, Printer& printer,
                 const RouteFilter& filter)
        : context_(context),
          devices_(devices),
          printer_(printer),
          filter_(filter),
          objects_(context, printer.options()) {}

    // Returns false if it can't be printed exactly: the line then falls back. `deleted` marks the
    // route as deleted, for an echo.
    bool print(const Route& route, bool deleted = false);

  private:
    bool printable(const Route& route);
    void print_prefixes(const Route& route);
    void print_prefix(std::string_view key, std::string_view before, uint8_t family,
                      Attribute address, uint8_t bits);
    void print_path(const Route& route);
    void print_via(Attribute via);
    void print_labels(Attribute labels);
    void print_origin(const Route& route);
    void print_realms(uint32_t realms);
    void print_mark(uint32_t mark);
    void print_cache(const Route& route);
    void print_cache_flags(uint32_t flags);
    void print_times(const rta_cacheinfo& cache);
    void print_metrics(Attribute metrics);
    void print_metric(const RouteMetric& row, Attribute metric, bool locked);
    void print_object(uint32_t id);
    void print_nexthops(const Route& route);
    void print_nexthop(uint8_t family, const rtnexthop& header, Bytes attributes);
    void print_device(Color color, uint32_t ifindex);
    void print_name(std::string_view key, std::string_view before, NameKind kind, uint32_t number);

    Context& context_;
    DeviceNames& devices_;
    Printer& printer_;
    const RouteFilter& filter_;
    NexthopObjects objects_;
};

}  // namespace nlsh
