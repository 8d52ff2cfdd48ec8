// The words of an encapsulation as a table: keyword, attribute, reader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/objects/link/words/link.h"
#include "parser/ip/arguments.h"
#include "parser/names.h"

namespace nlsh {

// An encapsulation as far as its words have been read.
struct EncapDraft {
    const NameTables& names;
    std::vector<LinkAttribute> attributes = {};
    uint16_t flags = 0;  // for an IP tunnel

    void put(uint16_t type, decltype(LinkAttribute::value) value) {
        attributes.push_back({type, std::move(value)});
    }
};

struct EncapWord {
    std::string_view word;  // spelt in full
    uint16_t type;          // the attribute, or what the reader makes of it
    Parsed<void> (*read)(EncapDraft&, uint16_t type, Arguments&);
    const char* complaint = nullptr;  // for a bad value, see Keyword
    bool alone = false;               // without a value
};

// Takes words of the table, each once, up to the first that isn't in it.
Parsed<void> take_encap_words(EncapDraft& draft, std::span<const EncapWord> words,
                              Arguments& arguments);
Parsed<void> read_encap_address(EncapDraft& draft, uint16_t type, uint8_t family,
                                Arguments& arguments);

// Reads the words after `seg6` and `seg6local` (RFC 8754, RFC 8986).
Parsed<void> read_seg6(EncapDraft& draft, Arguments& arguments);
Parsed<void> read_seg6local(EncapDraft& draft, Arguments& arguments);

}  // namespace nlsh
