#include "parser/ip/vni.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include "parser/ip/bridge_values.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

constexpr uint32_t max_vni = (1 << 24) - 1;

bool is_multicast(const InetPrefix& address) {
    return address.family == AF_INET6 ? address.bytes[0] == 0xff
                                      : (address.bytes[0] & 0xf0) == 0xe0;
}

// N, N-M and lists of them. bridge takes ranges that go backwards apart in ways of its own.
Parsed<std::vector<IdRange>> parse_vnis(std::string_view word) {
    std::vector<IdRange> ranges;
    for (bool more = true; more;) {
        const size_t comma = word.find(',');
        const auto range = parse_id_range(word.substr(0, comma), max_vni);
        if (!range) return std::unexpected(range.error());
        ranges.push_back(*range);
        more = comma != word.npos;
        if (more) word.remove_prefix(comma + 1);
    }
    return ranges;
}

Parsed<InetPrefix> parse_remote(std::string_view word) {
    auto address = parse_address(word, AF_UNSPEC);
    if (address && address->size == 0) return declined("vni: no address");
    return address;
}

Parsed<InetPrefix> parse_group(std::string_view word) {
    auto address = parse_remote(word);
    if (address && !is_multicast(*address)) return declined("vni: group isn't multicast");
    return address;
}

Parsed<void> parse_change_word(Arguments& arguments, VniChange& change) {
    const std::string_view word = arguments.take();
    if (word == "dev") return take_once(arguments, word, change.device, parse_device);
    if (word == "vni") return take_once(arguments, word, change.vnis, parse_vnis);
    if (word == "group") return take_once(arguments, word, change.remote, parse_group);
    if (word == "remote") return take_once(arguments, word, change.remote, parse_remote);
    // bridge skips words that it doesn't know; other versions know more of them.
    return declined(fmt::format("vni: {}", word));
}

template <bool Add>
Parsed<ObjectResult> parse_change(ParseContext&, Arguments arguments) {
    VniChange change;
    change.add = Add;
    while (!arguments.empty()) {
        if (auto parsed = parse_change_word(arguments, change); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (change.device.empty() || change.vnis.empty()) {
        return refused("Device and VNI ID are required arguments.\n");
    }
    return ObjectResult{std::move(change), Add ? "add" : "delete", false};
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    // A filter stays for the lines after it (facts, 1.6).
    if (context.options.batch) return declined("vni show in a batch");
    VniShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word == "vni") return declined("vni show: vni");
        if (word != "dev") continue;  // other words don't count
        if (auto parsed = take_once(arguments, word, show.device, parse_device); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    return ObjectResult{std::move(show), "show", true};
}

constexpr Verb verbs[] = {
    {"add", parse_change<true>, true}, {"delete", parse_change<false>, true},
    {"show", parse_show, true},        {"lst", parse_show, true},
    {"list", parse_show, true},
};

}  // namespace

Parsed<ObjectResult> parse_vni(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
