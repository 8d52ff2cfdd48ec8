#include "backend/objects/bridge/words/vni.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Reads like atoi, as bridge does; a range up to 0 is a single VNI.
Parsed<IdRange> parse_vni_range(std::string_view word) {
    auto range = parse_leading_range(word, INT32_MAX);
    if (range && range->last == 0U) range->last.reset();
    return range;
}

// N, N-M or a list of these; the kernel checks them.
Parsed<std::vector<IdRange>> parse_vnis(std::string_view word) {
    std::vector<IdRange> ranges;
    for (const std::string_view part : split(word, ','))
        ranges.push_back(TRY(parse_vni_range(part)));
    if (ranges.empty()) return declined("vni: an empty list");
    return ranges;
}

Parsed<InetPrefix> parse_remote(std::string_view word) {
    auto address = parse_address(word, AF_UNSPEC);
    if (address && address->size == 0) return declined("vni: no address");
    return address;
}

Parsed<InetPrefix> parse_group(std::string_view word) {
    auto address = parse_remote(word);
    if (address && !is_multicast(*address)) return bad_value("vni: group isn't multicast");
    return address;
}

template <bool Group>
Parsed<void> take_remote(VniChange& change, Arguments& arguments) {
    constexpr std::string_view word = Group ? "group" : "remote";
    const Traits& traits = arguments.traits();
    if (!change.remote)
        return take_once(arguments, word, change.remote, Group ? parse_group : parse_remote);
    if (traits.has(Trait::vni_named_twice))
        return duplicate("destination", TRY(arguments.value(word)));
    return refused_before(Trait::vni_named_twice, traits,
                          fmt::format("Error: argument \"{}\" is wrong: duplicate group\n", word));
}

Parsed<void> take_vnis(VniChange& change, Arguments& arguments) {
    if (!change.vnis.empty() && arguments.traits().has(Trait::vni_named_twice))
        return duplicate("vni", TRY(arguments.value("vni")));
    return take_once(arguments, "vni", change.vnis, parse_vnis);
}

constexpr Keyword<VniChange> change_keywords[] = {
    {.word = "dev", .take = last<&VniChange::device, parse_device>},
    {.word = "vni", .take = take_vnis},
    {.word = "group", .take = take_remote<true>, .complaint = "invalid group address"},
    {.word = "remote", .take = take_remote<false>},
};

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext&, Arguments arguments) {
    VniChange change;
    change.verb = Which;
    TRY(take_words(change_keywords, change, arguments, skip_word));
    if (change.device.empty() || change.vnis.empty()) {
        return refused("Device and VNI ID are required arguments.\n");
    }
    return change;
}

constexpr Keyword<VniShow> show_keywords[] = {
    {.word = "dev", .take = single_device<&VniShow::device>}};

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    VniShow show;
    TRY(take_words(show_keywords, show, arguments, skip_any));
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .exact = true},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .exact = true},
    {.words = {"del"},
     .parse = parse_change<ChangeVerb::remove>,
     .exact = true,
     .since = Trait::vni_more_words},
    {.words = {"show", "lst", "list"},
     .parse = parse_show,
     .exact = true,
     .is = {.read_only = true, .not_in_batch = leaves_filter}},
};

}  // namespace

const Object vni_object{
    .words = {"vni"}, .name = "vni", .verbs = {verbs}, .since = Trait::vni_object};

}  // namespace nlsh
