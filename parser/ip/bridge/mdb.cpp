#include "parser/ip/bridge/mdb.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <algorithm>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint32_t max_vid = UINT16_MAX;  // the kernel refuses those above 4094

// inet_pton's forms only, unlike elsewhere.
std::optional<GroupAddress> inet_address(std::string_view word) {
    const std::string text(word);
    GroupAddress address;
    for (const auto& [family, size] : {std::pair{AF_INET, 4}, std::pair{AF_INET6, 16}}) {
        if (inet_pton(family, text.c_str(), address.bytes.data()) != 1) continue;
        address.family = static_cast<uint8_t>(family);
        address.size = static_cast<uint8_t>(size);
        return address;
    }
    return std::nullopt;
}

Parsed<GroupAddress> parse_group(std::string_view word) {
    if (const auto address = inet_address(word)) return *address;
    if (short_address_size(word)) return refused(fmt::format("Invalid address \"{}\"\n", word));
    const auto mac = TRY(parse_link_address(word));
    if (mac.size != MacAddress{}.size()) return declined("mdb: not six bytes");
    GroupAddress address;
    address.size = mac.size;
    std::ranges::copy(mac.span(), address.bytes.begin());
    return address;
}

Parsed<GroupAddress> parse_source(std::string_view word) {
    if (const auto address = inet_address(word)) return *address;
    return refused(fmt::format("Invalid source address \"{}\"\n", word));
}

Parsed<uint32_t> parse_vid(std::string_view word) {
    return parse_decimal(word, max_vid);
}

// Addresses are kept as they are written: bridge reads them when it has looked up the devices.
struct Draft : MdbChange {
    std::optional<std::string> group_text = {};
    std::optional<std::string> source_text = {};
};

Parsed<std::string> keep_text(std::string_view word) {
    return std::string(word);
}

Parsed<void> read_addresses(Draft& draft) {
    draft.group = TRY(parse_group(*draft.group_text));
    if (draft.source_text) draft.source = TRY(parse_source(*draft.source_text));
    return {};
}

Parsed<void> skip_change_word(Draft& draft, Arguments& arguments) {
    if (!arguments.traits().lacks(Trait::mdb_reads_more_words)) return declined("mdb: a word");
    return skip_word(draft, arguments);
}

constexpr Keyword<Draft> change_keywords[] = {
    {.word = "dev", .take = last<&MdbChange::device, parse_device>},
    {.word = "grp", .take = once<&Draft::group_text, keep_text>},
    {.word = "port", .take = last<&MdbChange::port, parse_device>},
    {.word = "vid", .take = once<&MdbChange::vid, parse_vid>},
    {.word = "src", .take = once<&Draft::source_text, keep_text>},
    {.word = "permanent", .take = set<&MdbChange::state, MDB_PERMANENT>},
    {.word = "temp", .take = add_bits<&MdbChange::state, 0>},  // what it is anyway
};

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext&, Arguments arguments) {
    Draft draft;
    draft.verb = Which;
    TRY(take_words(change_keywords, draft, arguments, skip_change_word));
    if (draft.device.empty() || draft.port.empty() || !draft.group_text) {
        return refused("Device, group address and port name are required arguments.\n");
    }
    if (auto read = read_addresses(draft); !read) {
        return refused_after({draft.device, draft.port}, read.error());
    }
    return MdbChange(std::move(draft));
}

Parsed<void> take_show_device(MdbShow& show, Arguments& arguments) {
    return take_single(arguments, "dev", show.device, parse_device);
}

constexpr Keyword<MdbShow> show_keywords[] = {
    {.word = "dev", .take = take_show_device},
    {.word = "vid", .take = once<&MdbShow::vid, parse_vid>},
};

// bridge skips words that it doesn't know, and "help" is one of them.
Parsed<void> skip_show_word(MdbShow&, Arguments& arguments) {
    arguments.take();
    return {};
}

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    MdbShow show;
    TRY(take_words(show_keywords, show, arguments, skip_show_word));
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>},
    {.words = {"show", "lst", "list"},
     .parse = parse_show,
     .is = {.read_only = true, .colored = true, .not_in_batch = leaves_filter}},
};

}  // namespace

const Object mdb_object{.words = {"mdb"}, .name = "mdb", .verbs = {verbs}};

}  // namespace nlsh
