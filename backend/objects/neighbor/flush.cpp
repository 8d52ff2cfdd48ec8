// `ip neighbor flush`: rounds of a dump and deletions, until a round finds nothing.
#include <fmt/format.h>

#include <vector>

#include "backend/errors.h"
#include "backend/objects/neighbor/entries.h"
#include "backend/objects/neighbor/render.h"
#include "backend/run.h"

namespace nlsh {

namespace {

constexpr int max_rounds = 10;

// The fields that identify an entry.
struct Key {
    ndmsg header;
    std::vector<uint8_t> destination;
};

Key key_of(const Neighbor& neighbor) {
    const Bytes destination = neighbor.attributes[NDA_DST].bytes();
    return {*neighbor.header, {destination.begin(), destination.end()}};
}

// The number of deleted entries, or the exit status. The renderer, if any, prints them first.
std::expected<size_t, int> flush_round(Context& context, Channel& channel,
                                       const NeighborSelection& selection,
                                       const NeighborRenderer* renderer) {
    std::vector<Key> doomed;
    const Verdict verdict = dump_neighbors(channel, selection, [&](const Neighbor& neighbor) {
        if (!neighbor.attributes[NDA_DST]) return true;
        doomed.push_back(key_of(neighbor));
        if (renderer == nullptr) return true;
        if (has_typed_link_address(neighbor) && context.fall_back("neighbor: tunnel address"))
            return false;
        renderer->print(neighbor);
        return true;
    });
    if (context.fallback) return std::unexpected(1);
    if (renderer != nullptr) renderer->printer.flush();
    if (!print_dump_verdict(context, verdict)) {
        print_error(context, "Flush terminated\n");
        return std::unexpected(1);
    }
    if (!doomed.empty()) context.commit();
    for (const Key& key : doomed) {
        Message message(RTM_DELNEIGH, 0, key.header);
        message.put(NDA_DST, key.destination);
        // No error if the entry has gone; the next round finds those that remain.
        channel.change(message);
    }
    return doomed.size();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const NeighborFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    constexpr auto flushed = static_cast<uint16_t>(~(NUD_PERMANENT | NUD_NOARP));
    const auto selection =
        TRY(select_neighbors(context, options, channel, request.filter, flushed));
    const auto say = [&](const std::string& text) {
        if (options.statistics > 0) context.out->write(text);
    };
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    const NeighborRenderer renderer =
        neighbor_renderer(context, printer, devices, selection.ifindex != 0);
    const bool lists = options.statistics > 1;
    for (int round = 1; round <= max_rounds; round++) {
        const size_t deleted =
            TRY(flush_round(context, channel, selection, lists ? &renderer : nullptr));
        if (deleted == 0) {
            say(round == 1 ? "Nothing to flush.\n"
                           : fmt::format("*** Flush is complete after {} round{} ***\n", round - 1,
                                         round > 2 ? "s" : ""));
            return 0;
        }
        say(fmt::format("\n*** Round {}, deleting {} entries ***\n", round, deleted));
    }
    context.out->write(
        fmt::format("*** Flush not complete bailing out after {} rounds\n", max_rounds));
    return 1;
}

}  // namespace nlsh
