#include "backend/objects/bridge/words/mst.h"

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Draft : MstSet {
    std::optional<std::string> instance_text = {};
    std::optional<std::string> state_text = {};
};

constexpr Keyword<Draft> set_keywords[] = {
    {.word = "dev", .take = last<&MstSet::device, parse_device>},
    {.word = "msti", .take = last<&Draft::instance_text, keep_text>},
    {.word = "state", .take = last<&Draft::state_text, keep_text>},
};

// bridge cuts a number to 16 bits, and takes signs and blanks before it.
Parsed<uint16_t> parse_instance(const std::string& word) {
    if (const auto number = parse_decimal(word, INT32_MAX)) return static_cast<uint16_t>(*number);
    if (!is_plain_value(word) || word.find_first_not_of("0123456789") == word.npos)
        return declined("mst: msti");
    return refused("Error: invalid MSTI\n");
}

Parsed<uint8_t> parse_state(const std::string& word) {
    if (const auto state = port_state(word)) return *state;
    if (const auto number = parse_decimal(word, INT32_MAX)) {
        if (*number <= UINT8_MAX) return static_cast<uint8_t>(*number);
    } else if (!is_plain_value(word) || word.find_first_not_of("0123456789") == word.npos) {
        return declined("mst: state");
    }
    return refused("Error: invalid STP port state\n");
}

// Call after the look-up of the device, as bridge does.
Parsed<void> read_values(Draft& draft) {
    draft.instance = TRY(parse_instance(*draft.instance_text));
    draft.state = TRY(parse_state(*draft.state_text));
    return {};
}

Parsed<Request> parse_set(ParseContext&, Arguments arguments) {
    Draft draft;
    TRY(take_words(set_keywords, draft, arguments, skip_word));
    if (draft.device.empty() || !draft.instance_text || !draft.state_text)
        return refused("Device, MSTI and state are required arguments.\n");
    if (auto read = read_values(draft); !read) return refused_after(draft.device, read.error());
    return MstSet(std::move(draft));
}

constexpr Keyword<MstShow> show_keywords[] = {
    {.word = "dev", .take = single_device<&MstShow::device>}};

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    MstShow show;
    TRY(take_words(show_keywords, show, arguments, skip_word));
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"set"}, .parse = parse_set},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows_filtered},
};

}  // namespace

const Object mst_object{
    .words = {"mst"}, .name = "mst", .verbs = {verbs}, .since = Trait::bridge_vlan_msti};

}  // namespace nlsh
