#include "parser/ip/address/address.h"

#include "parser/ip/command.h"

namespace nlsh {

namespace {

constexpr VerbProperties changes{.queued = true};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_address_as<AddressVerb::add>, .is = changes},
    {.words = {"change", "chg"}, .parse = parse_address_as<AddressVerb::change>, .is = changes},
    {.words = {"replace"}, .parse = parse_address_as<AddressVerb::replace>, .is = changes},
    {.words = {"delete"}, .parse = parse_address_as<AddressVerb::del>, .is = changes},
    {.words = {"show", "list", "lst"}, .parse = parse_address_show, .is = shows},
    {.words = {"flush"}, .parse = parse_address_flush, .is = flushes},
    {.words = {"save", "showdump", "restore"}},
};

}  // namespace

const Object address_object{.words = {"address"}, .name = "address", .verbs = {verbs}};

}  // namespace nlsh
