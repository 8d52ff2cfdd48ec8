#include "backend/objects/bridge/words/mdb.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <algorithm>
#include <cctype>

#include "backend/objects/bridge/words/mdb_rows.h"
#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr size_t max_sources = 32;        // bridge's message has room for somewhat more
constexpr uint32_t max_vid = UINT16_MAX;  // the kernel itself refuses VLANs above 4094

// Only inet_pton's forms are valid here.
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

Parsed<GroupAddress> parse_group(std::string_view word, const Traits& traits, bool mac_groups) {
    if (const auto address = inet_address(word)) return *address;
    const bool said = traits.lacks(Trait::link_addresses_named_whole);
    if (short_address_size(word) && !said) return declined("mdb: a bad group");
    if (short_address_size(word)) return refused(fmt::format("Invalid address \"{}\"\n", word));
    if (!mac_groups) return declined("mdb: a group that is no address");
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

// The words of a VXLAN entry before they are converted to MdbRemote; `via` is already there.
struct RemoteText {
    std::optional<std::string> destination = {};
    std::map<uint16_t, std::string> numbers = {};  // by the same keys as MdbRemote's
};

// Keeps addresses as text, because bridge reads them only after it has looked up the devices.
struct Draft : MdbChange {
    Draft(ChangeVerb which, const NameTables& tables) : names(tables) { verb = which; }

    const NameTables& names;
    bool mac_groups = true;  // a group may be a MAC address
    Traits traits = {};
    std::optional<std::string> group_text = {};
    std::optional<std::string> source_text = {};
    std::optional<std::string> mode_text = {};
    std::optional<std::string> list_text = {};
    std::optional<std::string> protocol_text = {};
    RemoteText remote_text = {};
};

Parsed<uint8_t> parse_mode(std::string_view word) {
    if (word == "include") return uint8_t{1};
    if (word == "exclude") return uint8_t{0};
    return refused(fmt::format("Invalid filter mode \"{}\"\n", word));
}

Parsed<uint8_t> parse_protocol(const NameTables& names, std::string_view word) {
    const auto protocol = names.value(NameKind::protocol, word);
    if (protocol && *protocol != 0 && *protocol <= UINT8_MAX)
        return static_cast<uint8_t>(*protocol);
    if (protocol || !is_plain_value(word)) return declined("mdb: a protocol");
    return refused(fmt::format("Invalid protocol value \"{}\"\n", word));
}

Parsed<std::vector<GroupAddress>> parse_sources(std::string_view word) {
    std::vector<GroupAddress> sources;
    for (;;) {
        const size_t comma = word.find(',');
        const std::string_view source = word.substr(0, comma);
        const auto address = inet_address(source);
        if (!address) {
            return refused(fmt::format("Invalid source entry \"{}\" in source list\n", source));
        }
        sources.push_back(*address);
        if (sources.size() > max_sources) return declined("mdb: many sources");
        if (comma == word.npos) return sources;
        word.remove_prefix(comma + 1);
    }
}

Parsed<uint32_t> read_number(const MdbNumber& row, std::string_view word) {
    const bool small = row.size <= sizeof(uint16_t);
    const auto number = parse_u32(word, small ? UINT16_MAX : UINT32_MAX);
    // bridge keeps the low 32 bits of a VNI that is too large.
    const bool cut = !small && !word.empty() && std::isdigit(word.front()) != 0;
    if (!number && is_plain_value(word) && !cut)
        return refused(fmt::format("Invalid {} \"{}\"\n", row.what, word));
    return number;
}

// In the order in which bridge reads them.
Parsed<void> read_remote(MdbRemote& remote, const RemoteText& text) {
    if (text.destination) {
        remote.destination = inet_address(*text.destination);
        if (!remote.destination) {
            return refused(
                fmt::format("Invalid underlay destination address \"{}\"\n", *text.destination));
        }
    }
    for (const MdbNumber& row : mdb_numbers) {
        const auto word = text.numbers.find(row.sent);
        if (word != text.numbers.end())
            remote.numbers[row.sent] = TRY(read_number(row, word->second));
    }
    return {};
}

// In the order in which bridge reads them.
Parsed<void> read_values(Draft& draft) {
    draft.group = TRY(parse_group(*draft.group_text, draft.traits, draft.mac_groups));
    if (draft.source_text) draft.source = TRY(parse_source(*draft.source_text));
    if (draft.mode_text) draft.filter_mode = TRY(parse_mode(*draft.mode_text));
    if (draft.list_text) draft.sources = TRY(parse_sources(*draft.list_text));
    if (draft.protocol_text)
        draft.protocol = TRY(parse_protocol(draft.names, *draft.protocol_text));
    return read_remote(draft.remote, draft.remote_text);
}

template <typename State>
Parsed<void> skip_unknown_word(State& state, Arguments& arguments) {
    const Traits& traits = arguments.traits();
    const bool known =
        traits.has(Trait::mdb_reads_more_words) || traits.lacks(Trait::mdb_reads_more_words);
    return known ? skip_word(state, arguments) : declined("mdb: a word");
}

template <typename State>
Parsed<void> take_destination(State& state, Arguments& arguments) {
    return take_last(arguments, "a keyword", state.remote_text.destination, keep_text);
}

// Takes a number's word, or a word that bridge doesn't know.
template <typename State>
Parsed<void> take_other(State& state, Arguments& arguments) {
    const MdbNumber* row = TRY(find_row(mdb_numbers, arguments.traits(), arguments.peek()));
    if (row == nullptr) return skip_unknown_word(state, arguments);
    arguments.take();
    state.remote_text.numbers[row->sent] = TRY(arguments.value(row->word));
    return {};
}

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    return take_last(arguments, "via", draft.remote.via, parse_device);
}

template <typename State>
constexpr Keyword<State> remote_keyword(std::string_view word, auto take) {
    return {.word = word, .take = take, .since = Trait::mdb_of_vxlan};
}

constexpr Keyword<Draft> change_keywords[] = {
    {.word = "dev", .take = last<&MdbChange::device, parse_device>},
    {.word = "grp", .take = once<&Draft::group_text, keep_text>},
    {.word = "port", .take = last<&MdbChange::port, parse_device>},
    {.word = "vid", .take = once<&MdbChange::vid, parse_vid>},
    {.word = "src", .take = once<&Draft::source_text, keep_text>},
    {.word = "permanent", .take = set<&MdbChange::state, MDB_PERMANENT>},
    {.word = "temp", .take = add_bits<&MdbChange::state, 0>},  // the default
    {.word = "filter_mode",
     .take = last<&Draft::mode_text, keep_text>,
     .since = Trait::mdb_reads_more_words},
    {.word = "source_list",
     .take = last<&Draft::list_text, keep_text>,
     .since = Trait::mdb_reads_more_words},
    {.word = "proto",
     .take = last<&Draft::protocol_text, keep_text>,
     .since = Trait::mdb_reads_more_words},
    remote_keyword<Draft>("dst", take_destination<Draft>),
    remote_keyword<Draft>("via", take_via),
};

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    Draft draft(Which, context.names);
    draft.traits = context.options.traits;
    draft.mac_groups = draft.traits.has(Trait::mdb_mac_groups);
    TRY(take_words(change_keywords, draft, arguments, take_other<Draft>));
    if (draft.device.empty() || draft.port.empty() || !draft.group_text) {
        return refused("Device, group address and port name are required arguments.\n");
    }
    if (auto read = read_values(draft); !read) {
        return refused_after({draft.device, draft.port}, read.error());
    }
    return MdbChange(std::move(draft));
}

constexpr Keyword<MdbShow> show_keywords[] = {
    {.word = "dev", .take = single_device<&MdbShow::device>},
    {.word = "vid", .take = once<&MdbShow::vid, parse_vid>},
};

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    MdbShow show;
    TRY(take_words(show_keywords, show, arguments, skip_any));
    return show;
}

struct FlushDraft : MdbFlush {
    std::optional<std::string> protocol_text = {};
    RemoteText remote_text = {};
};

Parsed<void> read_values(FlushDraft& flush, const NameTables& names) {
    if (flush.protocol_text) flush.protocol = TRY(parse_protocol(names, *flush.protocol_text));
    return read_remote(flush.remote, flush.remote_text);
}

constexpr Keyword<FlushDraft> flush_keywords[] = {
    {.word = "dev", .take = last<&MdbFlush::device, parse_device>},
    {.word = "port", .take = last<&MdbFlush::port, parse_device>},
    {.word = "vid", .take = once<&MdbFlush::vid, parse_vid>},
    {.word = "permanent", .take = set<&MdbFlush::permanent, true>},
    {.word = "nopermanent", .take = set<&MdbFlush::permanent, false>},
    {.word = "proto", .take = last<&FlushDraft::protocol_text, keep_text>},
    remote_keyword<FlushDraft>("dst", take_destination<FlushDraft>),
};

Parsed<Request> parse_flush(ParseContext& context, Arguments arguments) {
    FlushDraft flush;
    TRY(take_words(flush_keywords, flush, arguments, take_other<FlushDraft>));
    if (flush.device.empty()) return refused("Device is a required argument.\n");
    if (auto read = read_values(flush, context.names); !read)
        return refused_after({flush.device, flush.port}, read.error());
    return MdbFlush(std::move(flush));
}

struct GetDraft : MdbGet {
    std::optional<std::string> group_text = {};
    std::optional<std::string> source_text = {};
    std::optional<std::string> vni_text = {};
    Traits traits = {};
};

constexpr Keyword<GetDraft> get_keywords[] = {
    {.word = "dev", .take = last<&MdbGet::device, parse_device>},
    {.word = "grp", .take = last<&GetDraft::group_text, keep_text>},
    {.word = "src", .take = last<&GetDraft::source_text, keep_text>},
    {.word = "vid", .take = last<&MdbGet::vid, parse_vid>},
    {.word = "src_vni", .take = last<&GetDraft::vni_text, keep_text>},
};

Parsed<void> read_values(GetDraft& get) {
    get.group = TRY(parse_group(*get.group_text, get.traits, true));
    if (get.source_text) get.source = TRY(parse_source(*get.source_text));
    if (!get.vni_text) return {};
    const auto* const row = std::ranges::find(mdb_numbers, "src_vni", &MdbNumber::word);
    get.source_vni = TRY(read_number(*row, *get.vni_text));
    return {};
}

Parsed<Request> parse_get(ParseContext&, Arguments arguments) {
    GetDraft get;
    get.traits = arguments.traits();
    TRY(take_words(get_keywords, get, arguments, skip_unknown_word<GetDraft>));
    if (get.device.empty() || !get.group_text)
        return refused("Device and group address are required arguments.\n");
    if (auto read = read_values(get); !read) return refused_after(get.device, read.error());
    return MdbGet(std::move(get));
}

constexpr Trait newer = Trait::mdb_more_verbs;

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = {.queued = true}},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = {.queued = true}},
    {.words = {"replace"},
     .parse = parse_change<ChangeVerb::replace>,
     .exact = true,
     .since = newer},
    {.words = {"flush"}, .parse = parse_flush, .exact = true, .since = newer},
    {.words = {"get"}, .parse = parse_get, .exact = true, .is = shows_filtered, .since = newer},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows_filtered},
};

}  // namespace

const Object mdb_object{.words = {"mdb"}, .name = "mdb", .verbs = {verbs}};

}  // namespace nlsh
