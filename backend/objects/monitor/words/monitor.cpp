#include "backend/objects/monitor/words/monitor.h"

#include <fmt/format.h>

#include <span>

#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/ip/traits/trait_names.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct MonitorWord {
    std::string_view word;
    uint32_t objects = 0;
    bool exact = false;
    std::string Monitor::* value = nullptr;  // where the next word's value goes
    bool Monitor::* flag = nullptr;
    bool all = false;  // bridge only: makes earlier words ineffective
    Trait since = Trait::always;
};

// In the order in which iproute2 tries them.
constexpr MonitorWord ip_words[] = {
    {.word = "file", .value = &Monitor::file},
    {.word = "label", .flag = &Monitor::labels},
    {.word = "link", .objects = monitor_link},
    {.word = "address", .objects = monitor_address},
    {.word = "route", .objects = monitor_route},
    {.word = "maddress", .objects = monitor_maddress, .since = Trait::monitor_joined_addresses},
    {.word = "mroute", .objects = monitor_mroute},
    {.word = "prefix", .objects = monitor_prefix},
    {.word = "neigh", .objects = monitor_neighbor},
    {.word = "netconf", .objects = monitor_netconf},
    {.word = "rule", .objects = monitor_rule},
    {.word = "nsid", .objects = monitor_nsid},
    {.word = "nexthop", .objects = monitor_nexthop},
    {.word = "stats", .objects = monitor_stats, .exact = true},
    {.word = "acaddress",
     .objects = monitor_acaddress,
     .exact = true,
     .since = Trait::monitor_joined_addresses},
    {.word = "all", .exact = true, .flag = &Monitor::labels},
    {.word = "all-nsid", .flag = &Monitor::all_namespaces},
    {.word = "dev", .exact = true, .value = &Monitor::device},
};

constexpr uint32_t bridge_objects = monitor_link | monitor_fdb | monitor_mdb;

constexpr MonitorWord bridge_words[] = {
    {.word = "file", .value = &Monitor::file},
    {.word = "link", .objects = monitor_link},
    {.word = "fdb", .objects = monitor_fdb},
    {.word = "mdb", .objects = monitor_mdb},
    {.word = "vlan", .objects = monitor_vlan},
    {.word = "vni", .objects = monitor_vni, .exact = true},
    {.word = "all", .exact = true, .flag = &Monitor::labels, .all = true},
};

// The objects of `ip monitor` by default.
constexpr uint32_t all_objects = monitor_link | monitor_address | monitor_route | monitor_mroute |
                                 monitor_prefix | monitor_neighbor | monitor_netconf |
                                 monitor_rule | monitor_nsid | monitor_nexthop | monitor_stats;

Parsed<void> take_word(Monitor& monitor, const MonitorWord& word, Arguments& arguments) {
    monitor.objects |= word.objects;
    if (word.flag != nullptr) monitor.*word.flag = true;
    if (word.all) monitor.objects = 0;
    if (word.value == nullptr) return {};
    if (arguments.empty()) return refused("Command line is not complete. Try option \"help\"\n");
    const std::string_view value = arguments.take();
    if (value.empty()) return declined("monitor of an empty name");
    monitor.*word.value = value;
    return {};
}

// Declines objects that this build may print differently.
Parsed<void> known_to_traits(uint32_t objects, const Options& options) {
    using enum Traits::Answer;
    const Traits& traits = options.traits;
    if (!traits.has(Trait::words_of_6_1)) return declined("monitor of older versions");
    if (objects == all_objects && traits[Trait::monitor_joined_addresses] == unknown)
        return declined(unknown_trait(traits, Trait::monitor_joined_addresses));
    const bool entries = options.tool == Tool::bridge && (objects & monitor_fdb) != 0;
    if (entries && traits[Trait::fdb_protocol] != no)
        return declined("monitor: fdb entries may have protocols");
    return {};
}

Parsed<Request> parse_words(ParseContext& context, Arguments arguments) {
    Options& options = context.options;
    const bool ip = options.tool == Tool::ip;
    const std::span<const MonitorWord> table =
        ip ? std::span<const MonitorWord>(ip_words) : bridge_words;
    Monitor monitor;
    uint32_t always = 0;  // in addition to the words' objects
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const MonitorWord* hit = nullptr;
        for (const MonitorWord& known : table) {
            const bool taken = known.exact ? word == known.word : matches(word, known.word);
            if (!taken || hit != nullptr || options.traits.lacks(known.since)) continue;
            if (!options.traits.has(known.since))
                return declined(unknown_trait(options.traits, known.since));
            hit = &known;
        }
        if (hit == nullptr && matches(word, "help")) return declined("verb help");
        if (hit == nullptr) {
            return refused(fmt::format("Argument \"{}\" is unknown, try \"{} monitor help\".\n",
                                       word, ip ? "ip" : "bridge"));
        }
        TRY(take_word(monitor, *hit, arguments));
        if (hit->all) always = monitor_vlan | monitor_vni;
    }
    if (monitor.objects == 0) monitor.objects = ip ? all_objects : bridge_objects;
    TRY(known_to_traits(monitor.objects, options));
    if (monitor.objects == all_objects && options.traits.has(Trait::monitor_joined_addresses))
        monitor.objects |= monitor_maddress | monitor_acaddress;
    monitor.objects |= always;
    // A monitor prints plain text, even with -json.
    if (options.json) options.color = ColorMode::never;
    options.json = options.pretty = false;
    return monitor;
}

// A monitor's words are objects, not verbs.
constexpr Verb verb{.words = {"show"},
                    .parse = parse_words,
                    .is = {.read_only = true,
                           .colored = true,
                           .in_process = true,
                           .endless = true,
                           .not_in_batch = "has no end"}};

Parsed<Request> parse_monitor(ParseContext& context, Arguments arguments) {
    return parse_as(verb, context, arguments);
}

}  // namespace

const Object monitor_object{.words = {"monitor"}, .name = "monitor", .parse = parse_monitor};

}  // namespace nlsh
