// Reads the words of an encapsulation (encap_rows.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/objects/link/words/link.h"
#include "backend/objects/route/words/encap_rows.h"
#include "parser/ip/arguments.h"
#include "parser/names.h"

namespace nlsh {

// An encapsulation while its words are being read.
struct EncapDraft {
    const NameTables& names;
    std::vector<LinkAttribute> attributes = {};
    uint16_t flags = 0;  // for an IP tunnel

    void put(uint16_t type, decltype(LinkAttribute::value) value) {
        attributes.push_back({type, std::move(value)});
    }
};

// Takes words of the table, each once, up to the first other word.
Parsed<void> take_encap_words(EncapDraft& draft, std::span<const EncapRow> rows,
                              Arguments& arguments);
// Reads the special values of seg6local.
Parsed<void> read_seg6local_value(EncapDraft& draft, const EncapRow& row, Arguments& arguments);

// Reads the words after `seg6` and `seg6local` (RFC 8754, RFC 8986).
Parsed<void> read_seg6(EncapDraft& draft, Arguments& arguments);
Parsed<void> read_seg6local(EncapDraft& draft, Arguments& arguments);

}  // namespace nlsh
