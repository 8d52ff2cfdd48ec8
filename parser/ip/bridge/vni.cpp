#include "parser/ip/bridge/vni.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/lenient_values.h"
#include "parser/ip/take_last.h"

namespace nlsh {
namespace {

// As bridge reads it with atoi; a range up to 0 is a single one.
Parsed<IdRange> parse_vni_range(std::string_view word) {
    auto range = parse_leading_range(word, INT32_MAX);
    if (range && range->last == 0U) range->last.reset();
    return range;
}

// N, N-M and lists of them; what is wrong with them is the kernel's to say.
Parsed<std::vector<IdRange>> parse_vnis(std::string_view word) {
    std::vector<IdRange> ranges;
    while (!word.empty()) {
        const size_t comma = std::min(word.find(','), word.size());
        if (comma > 0) {
            const auto range = parse_vni_range(word.substr(0, comma));
            if (!range) return std::unexpected(range.error());
            ranges.push_back(*range);
        }
        word.remove_prefix(std::min(comma + 1, word.size()));
    }
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

Parsed<void> parse_change_word(Arguments& arguments, VniChange& change) {
    const std::string_view word = arguments.take();
    if (word == "dev") return take_last(arguments, word, change.device, parse_device);
    if ((word == "group" || word == "remote") && change.remote) {
        return refused(fmt::format("Error: argument \"{}\" is wrong: duplicate group\n", word));
    }
    if (word == "vni") return take_once(arguments, word, change.vnis, parse_vnis);
    if (word == "group") {
        return take_once(arguments, word, change.remote, parse_group, "invalid group address");
    }
    if (word == "remote") return take_once(arguments, word, change.remote, parse_remote);
    // bridge skips words that it doesn't know.
    return matches(word, "help") ? declined("verb help") : Parsed<void>{};
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
    // A filter stays for the lines after it.
    if (context.options.batch) return declined("vni show in a batch");
    VniShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
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
