// `ip neighbor`: changes, get, show and flush.
#include <fmt/format.h>
#include <linux/neighbour.h>

#include <vector>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"
#include "backend/net/prefix.h"
#include "backend/objects/neighbor/render.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// A filter after the look-up of its names.
struct NeighborSelection {
    const NeighborFilter& filter;
    uint32_t ifindex = 0;
    uint32_t master = 0;
    uint16_t states = 0;

    bool contains(const Neighbor& neighbor) const;
};

// Proxies and learnt entries are listed in any state.
bool state_fits(const ndmsg& header, uint16_t states) {
    const uint16_t state = header.ndm_state == NUD_NONE ? neighbor_state_none : header.ndm_state;
    return (state & states) != 0 || (header.ndm_flags & (NTF_PROXY | NTF_EXT_LEARNED)) != 0;
}

bool in_use(const Neighbor& neighbor) {
    const Attribute cache = neighbor.attributes[NDA_CACHEINFO];
    return cache && cache.as<nda_cacheinfo>().ndm_refcnt != 0;
}

bool protocol_fits(const Neighbor& neighbor, uint8_t wanted) {
    const Attribute protocol = neighbor.attributes[NDA_PROTOCOL];
    return wanted == 0 || wanted == (protocol ? protocol.u8() : 0);
}

bool NeighborSelection::contains(const Neighbor& neighbor) const {
    const ndmsg& header = *neighbor.header;
    if (filter.family != 0 && filter.family != header.ndm_family) return false;
    if (ifindex != 0 && ifindex != static_cast<uint32_t>(header.ndm_ifindex)) return false;
    if (!state_fits(header, states)) return false;
    if (filter.protocol && !protocol_fits(neighbor, *filter.protocol)) return false;
    if (filter.unused && in_use(neighbor)) return false;
    const Attribute destination = neighbor.attributes[NDA_DST];
    return !filter.to || !destination || prefix_contains(*filter.to, destination.bytes());
}

// Looks up the filter's devices. Returns the exit status if one is missing.
std::expected<NeighborSelection, int> select_neighbors(Context& context, const Options& options,
                                                       Channel& channel,
                                                       const NeighborFilter& filter,
                                                       uint16_t default_states) {
    NeighborSelection selection{.filter = filter, .states = default_states};
    if (filter.states) selection.states = *filter.states;
    selection.master =
        TRY(find_master(context, options, channel, filter.master, filter.master_is_vrf));
    selection.ifindex = TRY(find_wanted_device(context, options, channel, filter.device));
    return selection;
}

// Calls `receive` for each entry in the selection, until it returns false.
Verdict dump_neighbors(Channel& channel, const NeighborSelection& selection,
                       const std::function<bool(const Neighbor&)>& receive) {
    auto header = of_family<ndmsg>(selection.filter.family);
    if (selection.filter.proxy) header.ndm_flags = NTF_PROXY;
    Message message(RTM_GETNEIGH, 0, header);
    if (selection.ifindex != 0) message.put_u32(NDA_IFINDEX, selection.ifindex);
    if (selection.master != 0) message.put_u32(NDA_MASTER, selection.master);
    return channel.dump(message, [&](const nlmsghdr& answer) {
        const Neighbor neighbor(answer);
        if (!neighbor.header || !selection.contains(neighbor)) return true;
        return receive(neighbor);
    });
}

Message build(const NeighborChange& request, uint32_t ifindex) {
    auto header = of_family<ndmsg>(request.destination.family);
    header.ndm_ifindex = static_cast<int>(ifindex);
    header.ndm_state = request.state;
    header.ndm_flags = request.flags;
    Message message(request.verb == ChangeVerb::remove ? RTM_DELNEIGH : RTM_NEWNEIGH,
                    flags_of(request.verb), header);
    if (request.protocol) message.put_u8(NDA_PROTOCOL, *request.protocol);
    message.put(NDA_DST, request.destination.span());
    if (request.extended_flags) message.put_u32(NDA_FLAGS_EXT, request.extended_flags);
    if (request.link_address) message.put(NDA_LLADDR, request.link_address->span());
    return message;
}

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

ExitStatus run(Context& context, const Options& options, const NeighborChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    Message message = build(request, ifindex);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const NeighborGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto header = of_family<ndmsg>(request.destination.family);
    if (request.proxy) header.ndm_flags = NTF_PROXY;
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    header.ndm_ifindex = static_cast<int>(ifindex);
    Message message(RTM_GETNEIGH, 0, header);
    message.put(NDA_DST, request.destination.span());
    Options shown = options;
    if (options.json && !context.has(options, Trait::neighbor_get_json)) shown.json = false;
    Printer printer(*context.out, shown);
    DeviceNames devices(channel);
    const NeighborRenderer renderer = neighbor_renderer(context, printer, devices);
    printer.begin_document();
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        const Neighbor neighbor(answer);
        if (!neighbor.header) return false;
        if (has_typed_link_address(neighbor)) context.fall_back("neighbor: tunnel address");
        renderer.print(neighbor);
        return false;
    });
    if (!verdict.ok()) {
        print_verdict(context, verdict);
        return 2;
    }
    printer.end_document();
    return 0;
}

ExitStatus run(Context& context, const Options& options, const NeighborShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    constexpr uint16_t shown = 0xff & ~NUD_NOARP;
    const auto selection = TRY(select_neighbors(context, options, channel, request.filter, shown));
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    const NeighborRenderer renderer =
        neighbor_renderer(context, printer, devices, selection.ifindex != 0);
    printer.begin_document();
    const Verdict verdict = dump_neighbors(channel, selection, [&](const Neighbor& neighbor) {
        if (has_typed_link_address(neighbor) && context.fall_back("neighbor: tunnel address")) {
            return false;
        }
        renderer.print(neighbor);
        return printer.flush_if_large();
    });
    if (context.fallback) return 1;
    return end_dump(context, printer, verdict, 1);
}

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
