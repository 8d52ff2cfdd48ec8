// Options of links and of their kinds as tables: a row is a keyword, its attribute and its value's
// reader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/link/link.h"

namespace nlsh {

// A value's bytes, as an attribute's payload.
template <typename T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

// What the options of a link, or of a veth's peer, say that isn't an attribute.
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

// The attributes that options are read into: a message's, or a nest's.
class OptionScope {
  public:
    OptionScope(const ParseContext& context, bool create) : context_(context), create_(create) {}

    const ParseContext& context() const { return context_; }
    bool create() const { return create_; }  // the link is a new one
    std::vector<LinkAttribute>& attributes() { return attributes_; }
    LinkHead& head() { return head_; }
    bool has(uint16_t type) const;
    const std::string* bytes(uint16_t type) const;  // null: there is none

    // Declines a second one of a type: iproute2 refuses some of these and sends others twice.
    Parsed<void> put(uint16_t type, decltype(LinkAttribute::value) value);
    // A number's bytes.
    template <typename T>
    Parsed<void> put_number(uint16_t type, T value) {
        return put(type, bytes_of(value));
    }
    // Sets bits of a pair {bits, mask}, as IFLA_VLAN_FLAGS and IFLA_BR_MULTI_BOOLOPT have it. May
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

struct LinkOption;
using ReadOption = Parsed<void> (*)(OptionScope&, const LinkOption&, Arguments&);
using OptionNames = std::span<const std::string_view>;

enum class Spelling : uint8_t { prefix, exact };

struct LinkOption {
    std::string_view word;
    uint16_t attribute;
    ReadOption read;
    uint32_t parameter = 0;  // the reader's
    OptionNames names = {};  // of the values
    Spelling spelling = Spelling::prefix;
    const char* complaint = nullptr;  // of a bad value, as Keyword has it
};
// Reads what follows the option's word.
Parsed<void> read_option(OptionScope& scope, const LinkOption& option, Arguments& arguments);

// The row that iproute2 would take; null for none. A word that abbreviates several declines.
Parsed<const LinkOption*> find_option(std::span<const LinkOption> options, std::string_view word);
// All words, each of them an option. A word that isn't one declines.
Parsed<void> read_options(OptionScope& scope, std::span<const LinkOption> options,
                          Arguments& arguments);

// Readers. A number's greatest value is the parameter, 0 for the type's.
Parsed<void> read_u8(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_u16(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_u32(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_u64(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_int(OptionScope&, const LinkOption&, Arguments&);     // 0 to INT_MAX
Parsed<void> read_port(OptionScope&, const LinkOption&, Arguments&);    // u16 in network order
Parsed<void> read_on_off(OptionScope&, const LinkOption&, Arguments&);  // u8; "o" is off
Parsed<void> read_name(OptionScope&, const LinkOption&, Arguments&);    // u8: place in `names`
Parsed<void> read_link_address(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> read_device(OptionScope&, const LinkOption&, Arguments&);  // parameter: the role
Parsed<void> read_table(OptionScope&, const LinkOption&, Arguments&);   // u32 of rt_tables
Parsed<void> read_bit(OptionScope&, const LinkOption&, Arguments&);     // on | off
Parsed<void> read_vlan_protocol(OptionScope&, const LinkOption&, Arguments&);  // 802.1Q | 802.1ad
// No value: the keyword says it.
Parsed<void> set_u8(OptionScope&, const LinkOption&, Arguments&);
Parsed<void> set_flag(OptionScope&, const LinkOption&, Arguments&);

// The place of a name in a table, spelt in full.
Parsed<uint8_t> name_index(OptionNames names, std::string_view word);

}  // namespace nlsh
