#include "backend/objects/maddress/words/maddress.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/bytes.h"
#include "parser/ip/command.h"
#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<std::optional<LinkAddress>> parse_six_bytes(std::string_view word) {
    const auto address = parse_link_address(word);
    const auto size = address ? std::optional<size_t>(address->size) : short_address_size(word);
    if (size && *size != 6) {
        return refused(fmt::format("Error: Invalid address length {} - must be 6 bytes\n", *size),
                       1);
    }
    if (!address) return std::unexpected(address.error());
    return std::optional(*address);
}

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext&, Arguments arguments) {
    std::string device;
    std::optional<LinkAddress> address;
    while (!arguments.empty()) {
        if (arguments.take_if("dev")) {
            TRY(take_single(arguments, "dev", device, parse_device));
            continue;
        }
        if (matches(arguments.peek(), "help")) return declined("maddress: help");
        if (matches(arguments.peek(), "address")) arguments.take();
        const bool named_by_part = arguments.traits().lacks(Trait::link_addresses_named_whole);
        if (!named_by_part && !arguments.empty() && !parse_link_address(arguments.peek()))
            return declined("maddress: a bad address");
        TRY(take_single(arguments, "address", address, parse_six_bytes));
        // For iproute2, zero bytes mean that no address was given.
        if (address && all_zero(address->span())) address.reset();
    }
    if (device.empty()) return refused("Not enough information: \"dev\" is required.\n");
    MaddressChange change{.verb = Which, .device = std::move(device)};
    if (address) std::ranges::copy(address->span(), change.address.begin());
    return change;
}

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    MaddressShow show;
    if (!arguments.empty()) {
        const bool keyword = arguments.take_if("dev");
        if (!keyword && matches(arguments.peek(), "help")) return declined("maddress: help");
        TRY(take_once(arguments, "dev", show.device, parse_device));
    }
    if (!arguments.empty()) {
        arguments.take_if("dev");
        const auto word = TRY(arguments.value("dev"));
        return matches(word, "help") ? declined("maddress: help")
                                     : garbage(arguments.traits(), "dev", word);
    }
    return show;
}

constexpr VerbProperties changes{.ends_batch = VerbProperties::Ends::always};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = changes},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = changes},
    {.words = {"show", "list", "lst"}, .parse = parse_show, .is = shows_late},
};

}  // namespace

const Object maddress_object{
    .words = {"maddress"}, .name = "maddress", .verbs = {verbs}, .title = "ip maddr"};

}  // namespace nlsh
