#include "parser/ip/monitor.h"

#include <fmt/format.h>

#include "parser/ip/command.h"

namespace nlsh {
namespace {

struct MonitorWord {
    std::string_view word;
    uint16_t objects;
    bool label = false;
    bool exact = false;
};

// In the order in which iproute2 tries them. `file`, `all-nsid` and `dev` are left to it.
constexpr MonitorWord ip_words[] = {
    {"label", 0, true},           {"link", monitor_link},
    {"address", monitor_address}, {"route", monitor_route},
    {"mroute", monitor_mroute},   {"prefix", monitor_prefix},
    {"neigh", monitor_neighbor},  {"netconf", monitor_netconf},
    {"rule", monitor_rule},       {"nsid", monitor_nsid},
    {"nexthop", monitor_nexthop}, {"stats", monitor_stats, false, true},
    {"all", 0, true, true},
};
constexpr MonitorWord bridge_words[] = {{"fdb", monitor_fdb}};

// What `ip monitor` without an object listens to.
constexpr uint16_t all_objects = monitor_link | monitor_address | monitor_route | monitor_mroute |
                                 monitor_prefix | monitor_neighbor | monitor_netconf |
                                 monitor_rule | monitor_nsid | monitor_nexthop | monitor_stats;

// What of an `ip monitor` is rare, or has another form than a show's.
bool is_plain(const Options& options) {
    return !options.json && !options.brief && options.statistics == 0 && !options.numeric &&
           options.details == 0;
}

}  // namespace

Parsed<ObjectResult> parse_monitor(ParseContext& context, Arguments arguments) {
    const bool ip = context.options.tool == Tool::ip;
    if (!is_plain(context.options)) return declined("monitor with these options");
    const std::span<const MonitorWord> table =
        ip ? std::span<const MonitorWord>(ip_words) : bridge_words;
    Monitor monitor;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        // `f` is file's in both, which is left to the real one.
        const MonitorWord* hit = nullptr;
        for (const MonitorWord& known : table) {
            const bool taken = known.exact ? word == known.word : matches(word, known.word);
            if (taken && hit == nullptr) hit = &known;
        }
        if (hit == nullptr || matches(word, "file")) {
            return declined(fmt::format("monitor {}", word));
        }
        monitor.objects = static_cast<uint16_t>(monitor.objects | hit->objects);
        monitor.labels = monitor.labels || hit->label;
    }
    if (monitor.objects == 0) {
        if (!ip) return declined("monitor of all");
        monitor.objects = all_objects;
    }
    // A label stands there too when the family keeps what it labels from being printed.
    const Options& options = context.options;
    if (options.family != 0 && (monitor.labels || options.timestamp != 0))
        return declined("monitor of a family with labels");
    return ObjectResult{.request = monitor, .verb = "show", .read_only = true};
}

}  // namespace nlsh
