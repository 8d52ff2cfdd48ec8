// Tables of options for links and their kinds. A row is an option, and an item of `ip -d link
// show`: its word, its attribute, and how the value is read and printed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/objects/link/words/link.h"
#include "parser/ip/arguments.h"
#include "parser/ip/bytes.h"
#include "parser/ip/command.h"

namespace nlsh {

// The options of a link, or of a veth's peer, that have no attribute.
struct LinkHead {
    std::string device;
    std::string name;
    std::string link;
    uint32_t ifindex = 0;
    uint32_t flags = 0;
    uint32_t change = 0;

    void set_flag(uint32_t flag, bool on) {
        change |= flag;
        flags = on ? flags | flag : flags & ~flag;
    }
};

// Collects the attributes of a message or a nest from options.
class OptionScope {
  public:
    OptionScope(const ParseContext& context, bool create) : context_(context), create_(create) {}

    const ParseContext& context() const { return context_; }
    bool create() const { return create_; }  // the link is a new one
    std::vector<LinkAttribute>& attributes() { return attributes_; }
    LinkHead& head() { return head_; }
    const LinkHead& head() const { return head_; }
    bool has(uint16_t type) const;
    const std::string* bytes(uint16_t type) const;  // null: not given

    // Declines a second one of a type, because iproute2 refuses some and sends others twice.
    Parsed<void> put(uint16_t type, decltype(LinkAttribute::value) value);
    // A number's bytes.
    template <typename T>
    Parsed<void> put_number(uint16_t type, T value) {
        return put(type, bytes_of(value));
    }
    // Replaces an attribute of this type.
    void replace(uint16_t type, std::string bytes);
    // Sets bits of a pair {bits, mask}, as in IFLA_VLAN_FLAGS and IFLA_BR_MULTI_BOOLOPT. May
    // repeat.
    void put_bits(uint16_t type, uint32_t bits, bool on);
    void move_to_end(uint16_t type);
    void erase(uint16_t type);

  private:
    const ParseContext& context_;
    bool create_;
    std::vector<LinkAttribute> attributes_;
    LinkHead head_;
};

struct LinkRow;
struct KindOutput;  // defined by the backend: backend/objects/link/kinds/codec.h
class Attribute;

// How a value is read and how it is printed.
struct Codec {
    // Reads what follows the option's word. Null: the row is no option.
    Parsed<void> (*read)(OptionScope&, const LinkRow&, Arguments&) = nullptr;
    // Null: the row isn't printed, because another row prints the value.
    void (*print)(const KindOutput&, const LinkRow&, Attribute) = nullptr;
    const char* complaint = nullptr;  // unless the row has one
};

using OptionNames = std::span<const std::string_view>;

// Rows stand in the order of printing. The order doesn't matter for finding a word, except that in
// some places iproute2 tries the first of several words (`first`).
struct LinkRow {
    std::string_view word = {};
    std::array<std::string_view, 2> also = {};  // other words for the same
    uint16_t attribute = 0;
    Codec codec = {};
    uint32_t parameter = 0;           // for the codec
    OptionNames names = {};           // names of the values 0, 1, 2 …
    bool exact = false;               // the word can't be abbreviated
    bool first = false;               // wins if an abbreviation fits several words
    const char* complaint = nullptr;  // for a bad value, see Keyword; {} stands for the word
    std::string_view key = {};        // in JSON; empty: the word
    std::string_view label = {};      // in text; empty: the word
    Trait since = Trait::always;      // only in builds with this trait
    Trait until = Trait::never;       // only in builds without this trait
    // How a nonzero value is printed is known only for builds with this trait.
    Trait set_since = Trait::always;

    std::string_view json_key() const { return !key.empty() ? key : !word.empty() ? word : label; }
    std::string_view text_label() const { return label.empty() ? word : label; }
};
inline constexpr const char* invalid = "invalid {}";  // a common complaint

// The same rows, only as items of a show.
template <size_t Size>
constexpr std::array<LinkRow, Size> shown_only(std::array<LinkRow, Size> rows) {
    for (LinkRow& row : rows)
        row.codec.read = nullptr;
    return rows;
}

// Reads what follows the row's word.
Parsed<void> read_option(OptionScope& scope, const LinkRow& row, Arguments& arguments);
// The row that iproute2 takes for the word; null: none. Declines a word that abbreviates several
// rows.
Parsed<const LinkRow*> find_option(std::span<const LinkRow> rows, std::string_view word,
                                   const Traits& traits);
// Reads all words as options. Declines any other word.
Parsed<void> read_options(OptionScope& scope, std::span<const LinkRow> rows, Arguments& arguments);

// Readers. The parameter is a number's largest value; 0: the type's own.
Parsed<void> read_u8(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_u16(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_u32(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_u64(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_int(OptionScope&, const LinkRow&, Arguments&);            // 0 to INT_MAX
Parsed<void> read_port(OptionScope&, const LinkRow&, Arguments&);           // u16 in network order
Parsed<void> read_on_off(OptionScope&, const LinkRow&, Arguments&);         // u8
Parsed<void> read_name(OptionScope&, const LinkRow&, Arguments&);           // u8: index in `names`
Parsed<void> read_any_case_name(OptionScope&, const LinkRow&, Arguments&);  // the same
Parsed<void> read_link_address(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> read_device(OptionScope&, const LinkRow&, Arguments&, LinkDevice::Role);
template <LinkDevice::Role Role = LinkDevice::Role::plain>
Parsed<void> read_device(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_device(scope, row, arguments, Role);
}
Parsed<void> read_table(OptionScope&, const LinkRow&, Arguments&);  // u32, or a name of rt_tables
Parsed<void> read_bit(OptionScope&, const LinkRow&, Arguments&);    // on | off
Parsed<void> read_vlan_protocol(OptionScope&, const LinkRow&, Arguments&);  // 802.1Q | 802.1ad
// For keywords without a value. The parameter is the number.
Parsed<void> set_u8(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> set_u16(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> set_u32(OptionScope&, const LinkRow&, Arguments&);
Parsed<void> set_flag(OptionScope&, const LinkRow&, Arguments&);

// The index of a full name in a table.
Parsed<uint8_t> name_index(OptionNames names, std::string_view word);
// The same in any case.
Parsed<uint8_t> any_case_index(OptionNames names, std::string_view word);
// The index of the row's first name that starts with the word. No match: refused with a list of all
// names.
Parsed<uint8_t> begun_index(const LinkRow& row, std::string_view word);

}  // namespace nlsh
