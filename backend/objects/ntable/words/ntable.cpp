#include "backend/objects/ntable/words/ntable.h"

#include <fmt/format.h>
#include <linux/neighbour.h>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Setting {
    std::string_view word;
    uint16_t type;
    bool parameter = false;  // belongs to one device
    bool wide = false;       // 64 bits
    bool exact = true;
    Trait since = Trait::always;
    Trait until = Trait::never;
};
constexpr Setting settings[] = {
    {.word = "thresh1", .type = NDTA_THRESH1},
    {.word = "thresh2", .type = NDTA_THRESH2},
    {.word = "thresh3", .type = NDTA_THRESH3},
    {.word = "gc_int", .type = NDTA_GC_INTERVAL, .wide = true},
    {.word = "base_reachable", .type = NDTPA_BASE_REACHABLE_TIME, .parameter = true, .wide = true},
    {.word = "retrans", .type = NDTPA_RETRANS_TIME, .parameter = true, .wide = true},
    {.word = "gc_stale", .type = NDTPA_GC_STALETIME, .parameter = true, .wide = true},
    {.word = "delay_probe", .type = NDTPA_DELAY_PROBE_TIME, .parameter = true, .wide = true},
    {.word = "queue", .type = NDTPA_QUEUE_LEN, .parameter = true},
    {.word = "app_probes", .type = NDTPA_APP_PROBES, .parameter = true},
    {.word = "ucast_probes", .type = NDTPA_UCAST_PROBES, .parameter = true},
    {.word = "mcast_probes", .type = NDTPA_MCAST_PROBES, .parameter = true},
    {.word = "mcast_reprobes",
     .type = NDTPA_MCAST_REPROBES,
     .parameter = true,
     .since = Trait::ntable_mcast_reprobes},
    {.word = "anycast_delay", .type = NDTPA_ANYCAST_DELAY, .parameter = true, .wide = true},
    {.word = "proxy_delay", .type = NDTPA_PROXY_DELAY, .parameter = true, .wide = true},
    {.word = "proxy_queue", .type = NDTPA_PROXY_QLEN, .parameter = true},
    {.word = "locktime", .type = NDTPA_LOCKTIME, .parameter = true, .wide = true},
};

std::unexpected<Decline> unknown(std::string_view word) {
    if (matches(word, "help")) return declined("verb help");
    return refused(fmt::format("Error: argument \"{}\" is wrong: unknown\n", word));
}

Parsed<std::string> parse_name(std::string_view word) {
    // iproute2 treats "none" specially.
    if (word.empty() || word == "none") return declined("ntable: name");
    return std::string(word);
}

Parsed<std::string> parse_table_device(std::string_view word) {
    if (word == "none") return declined("ntable: dev none");
    return parse_device(word);
}

Parsed<void> take_setting(Arguments& arguments, std::string_view word, NtableChange& change) {
    const Setting* setting = TRY(find_row(settings, arguments.traits(), word));
    if (setting == nullptr) return unknown(word);
    const auto text = TRY(arguments.value(word));
    const auto value = setting->wide ? parse_u64(text) : Parsed<uint64_t>(parse_u32(text));
    if (!value) {
        const std::string complaint = fmt::format("\"{}\" value is invalid", word);
        // Only 64-bit numbers may be negative.
        auto decline = setting->wide ? value.error() : without_sign(value.error(), text);
        return std::unexpected(with_complaint(std::move(decline), text, complaint.c_str()));
    }
    change.values.push_back({setting->type, setting->parameter, setting->wide, *value});
    return {};
}

Parsed<Request> parse_change(ParseContext&, Arguments arguments) {
    NtableChange change;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        const auto parsed = word == "name" ? take_once(arguments, word, change.name, parse_name)
                            : word == "dev"
                                ? take_once(arguments, word, change.device, parse_table_device)
                                : take_setting(arguments, word, change);
        if (!parsed) return refused_after(change.device, parsed.error());
    }
    if (change.name.empty() || change.values.empty()) {
        auto refusal = change.name.empty()
                           ? refused("Error: argument \"NAME\" is required\n")
                           : refused("Not enough information: changeable attributes required.\n");
        return refused_after(change.device, refusal.error());
    }
    return change;
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    // Statistics contain times of day in the caller's time zone.
    if (context.options.statistics > 0) return declined("ntable: statistics");
    NtableShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed = unknown(word);
        if (word == "name") parsed = take_once(arguments, word, show.name, parse_name);
        if (word == "dev") parsed = take_once(arguments, word, show.device, parse_table_device);
        // iproute2 looks up the device at once, so a missing device is the first error.
        if (!parsed)
            return std::unexpected(show.device.empty() ? parsed.error()
                                                       : unexplained(parsed.error()));
    }
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"change"},
     .parse = parse_change,
     .is = {.ends_batch = VerbProperties::Ends::if_it_fails}},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows_filtered},
};

}  // namespace

const Object ntable_object{.words = {"ntable", "ntbl"}, .name = "ntable", .verbs = {verbs}};

}  // namespace nlsh
