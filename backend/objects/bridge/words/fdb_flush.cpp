// bridge fdb flush.
#include <fmt/format.h>
#include <linux/neighbour.h>
#include <sys/socket.h>

#include <algorithm>
#include <climits>

#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/bridge/words/fdb_rows.h"
#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/ip/traits/trait_names.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// A word sets bits of the state and makes others count; `no` before it clears them.
struct FlushWord {
    std::string_view word;
    uint16_t set_state = 0, state_mask = 0;
    uint16_t no_set_state = 0, no_clear_state = 0, no_mask = 0;  // with `no`
};
constexpr FlushWord flush_words[] = {
    {.word = "permanent",
     .set_state = NUD_PERMANENT,
     .state_mask = NUD_PERMANENT,
     .no_clear_state = NUD_PERMANENT,
     .no_mask = NUD_PERMANENT},
    {.word = "static",
     .set_state = NUD_NOARP,
     .state_mask = NUD_NOARP | NUD_PERMANENT,
     .no_clear_state = NUD_NOARP,
     .no_mask = NUD_NOARP},
    {.word = "dynamic",
     .state_mask = NUD_NOARP | NUD_PERMANENT,
     .no_set_state = NUD_NOARP,
     .no_mask = NUD_NOARP},
};

struct FlushDraft : FdbFlush {
    uint8_t direction = 0;  // NTF_SELF, NTF_MASTER
};

template <typename Bits>
void change_bits(Bits& bits, unsigned more, unsigned less) {
    bits = static_cast<Bits>((bits & ~less) | more);
}

// One of `flush_words`; false: it is none.
bool add_flushed_state(FlushDraft& flush, std::string_view name, bool negated) {
    const auto* const found = std::ranges::find(flush_words, name, &FlushWord::word);
    if (found == std::end(flush_words)) return false;
    change_bits(flush.state, negated ? found->no_set_state : found->set_state,
                negated ? found->no_clear_state : 0U);
    change_bits(flush.state_mask, negated ? found->no_mask : found->state_mask, 0);
    return true;
}

// Takes `name` as a flag; false: this build has no flag of this name.
Parsed<bool> add_flushed_flag(FlushDraft& flush, std::string_view name, bool negated,
                              const Traits& traits) {
    const auto* const flag = std::ranges::find(fdb_flags, name, &FdbFlag::flushed);
    if (flag == std::end(fdb_flags) || name.empty() || traits.lacks(flag->flushed_since))
        return false;
    if (!traits.has(flag->flushed_since))
        return declined(unknown_trait(traits, flag->flushed_since));
    change_bits(flush.flags, negated ? 0U : flag->bit, negated ? flag->bit : 0U);
    change_bits(flush.flags_mask, flag->bit, 0);
    return true;
}

// A flush's selection. Older builds skip unknown words, newer ones print their usage.
Parsed<void> take_flush_word(FlushDraft& flush, Arguments& arguments) {
    const std::string_view word = arguments.peek();
    const bool negated = word.starts_with("no");
    const std::string_view name = word.substr(negated ? 2 : 0);
    const bool known = add_flushed_state(flush, name, negated) ||
                       TRY(add_flushed_flag(flush, name, negated, arguments.traits()));
    if (!known && !arguments.traits().lacks(Trait::fdb_flush_reads_all))
        return declined("fdb flush: a word");
    if (!known) return skip_word(flush, arguments);
    arguments.take();
    return {};
}

Parsed<void> take_flush_vlan(FlushDraft& flush, Arguments& arguments) {
    if (flush.vlan) return garbage(arguments.traits(), "vlan", "vlan");
    return take_once(arguments, "vlan", flush.vlan,
                     [](std::string_view text) { return parse_leading_digits(text, INT16_MAX); });
}

Parsed<void> take_flush_destination(FlushDraft& flush, Arguments& arguments) {
    if (flush.destination) return garbage(arguments.traits(), "dst", TRY(arguments.value("dst")));
    TRY(take_once(arguments, "dst", flush.destination,
                  [](std::string_view word) { return parse_address(word, AF_UNSPEC); }));
    return flush.destination->size != 0 ? Parsed<void>{} : declined("fdb flush: dst any");
}

constexpr Trait newer_flush = Trait::fdb_flush_reads_all;

constexpr Keyword<FlushDraft> flush_keywords[] = {
    {.word = "dst", .take = take_flush_destination, .since = newer_flush},
    {.word = "vni",
     .take = once<&FdbFlush::vni, parse_fdb_vni>,
     .complaint = "invalid VNI\n",
     .since = newer_flush},
    {.word = "src_vni",
     .take = once<&FdbFlush::source_vni, parse_fdb_vni>,
     .complaint = "invalid src VNI\n",
     .since = newer_flush},
    {.word = "nhid",
     .take = once<&FdbFlush::nexthop, parse_number>,
     .complaint = "\"nid\" value is invalid\n",
     .since = newer_flush},
    {.word = "port", .take = once<&FdbFlush::udp_port, parse_u16>, .since = newer_flush},
    {.word = "dev", .take = once<&FdbFlush::device, parse_device>},
    {.word = "brport", .take = once<&FdbFlush::port, parse_device>},
    {.word = "vlan", .take = take_flush_vlan},
    {.word = "self", .take = add_bits<&FlushDraft::direction, NTF_SELF>},
    {.word = "master", .take = add_bits<&FlushDraft::direction, NTF_MASTER>},
};

}  // namespace

Parsed<Request> parse_fdb_flush(ParseContext&, Arguments arguments) {
    FlushDraft flush;
    TRY(take_words(flush_keywords, flush, arguments, take_flush_word));
    if (flush.device.empty()) return refused("Device is a required argument.\n");
    if (flush.vlan >= 4096U) {
        if (!flush.port.empty()) return declined("fdb flush: a bad VLAN of a port");
        auto refusal = refused(fmt::format("Invalid VLAN ID \"{}\"\n", *flush.vlan));
        return refused_after(flush.device, refusal.error(), "Cannot find bridge device \"{}\"\n");
    }
    const uint8_t direction = flush.direction != 0 ? flush.direction : uint8_t{NTF_SELF};
    flush.flags = static_cast<uint8_t>(flush.flags | direction);
    return FdbFlush(std::move(flush));
}

}  // namespace nlsh
