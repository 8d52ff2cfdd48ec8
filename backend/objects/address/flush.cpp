// `ip address flush`: rounds of a dump and deletions, until a round finds nothing.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "backend/errors.h"
#include "backend/objects/address/addresses.h"
#include "backend/objects/link/lookup.h"
#include "backend/run.h"

namespace nlsh {

namespace {

constexpr int max_rounds = 10;

// Finds the addresses that pass the filter, in the kernel's order.
Verdict find_addresses(Channel& channel, const AddressFilter& filter, uint32_t ifindex,
                       std::vector<KeptMessage>& found) {
    ifaddrmsg header{};
    header.ifa_family = filter.family;
    header.ifa_index = ifindex;
    Message request(RTM_GETADDR, 0, header);
    std::vector<KeptMessage> all;
    const Verdict verdict = channel.dump(request, [&](const nlmsghdr& message) {
        const auto* address = family_header<ifaddrmsg>(message);
        if (address && (ifindex == 0 || address->ifa_index == ifindex)) all.emplace_back(message);
        return true;
    });
    // A label may need a device's name, which needs the same socket.
    DeviceNames devices(channel);
    for (KeptMessage& message : all) {
        if (address_matches(Address(*message), filter, devices)) {
            found.push_back(std::move(message));
        }
    }
    return verdict;
}

// The number of deleted addresses, or the exit status.
std::expected<size_t, int> flush_round(Context& context, Channel& channel,
                                       const AddressFilter& filter, uint32_t ifindex) {
    std::vector<KeptMessage> doomed;
    if (!print_dump_verdict(context, find_addresses(channel, filter, ifindex, doomed))) {
        print_error(context, "Flush terminated\n");
        return std::unexpected(1);
    }
    if (!doomed.empty()) context.commit();
    for (const KeptMessage& address : doomed) {
        // No error: a secondary address goes with its primary one.
        Message message = repeated<ifaddrmsg>(RTM_DELADDR, *address);
        const Verdict verdict = channel.change(message);
        if (verdict.error != EPERM) continue;
        print_error(context,
                    fmt::format("Failed to send flush request: {}\n", strerror(verdict.error)));
        return std::unexpected(255);
    }
    return doomed.size();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const AddressFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    const std::string& device = request.filter.links.device;
    const uint32_t ifindex =
        TRY(find_wanted_device(context, options, channel, device, device_does_not_exist));
    const auto say = [&](const std::string& text) {
        if (options.statistics > 0) context.out->write(text);
    };
    const auto say_complete = [&](int rounds) {
        say(fmt::format("*** Flush is complete after {} round{} ***\n", rounds,
                        rounds > 1 ? "s" : ""));
        return 0;
    };
    for (int round = 1; round <= max_rounds; round++) {
        const size_t deleted = TRY(flush_round(context, channel, request.filter, ifindex));
        if (deleted == 0 && round == 1) say("Nothing to flush.\n");
        if (deleted == 0) return round == 1 ? 0 : say_complete(round - 1);
        say(fmt::format("\n*** Round {}, deleting {} addresses ***\n", round, deleted));
        if (request.one_round) return say_complete(round);
    }
    return 0;
}

}  // namespace nlsh
