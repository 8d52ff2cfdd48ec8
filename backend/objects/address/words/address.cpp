#include "backend/objects/address/words/address.h"

#include "parser/ip/command.h"

namespace nlsh {

namespace {

constexpr VerbProperties changes{.queued = true};
constexpr BatchMemory shows_addresses{.shows_addresses = true};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_address_as<ChangeVerb::add>, .is = changes},
    {.words = {"change", "chg"}, .parse = parse_address_as<ChangeVerb::change>, .is = changes},
    {.words = {"replace"}, .parse = parse_address_as<ChangeVerb::replace>, .is = changes},
    {.words = {"delete"}, .parse = parse_address_as<ChangeVerb::remove>, .is = changes},
    {.words = {"show", "list", "lst"},
     .parse = parse_address_show,
     .is = {.read_only = true, .colored = true, .memory = shows_addresses}},
    {.words = {"flush"},
     .parse = parse_address_flush,
     .is = {.flushes = true, .not_in_batch = may_fail_halfway, .memory = shows_addresses}},
    {.words = {"save", "showdump", "restore"}, .is = {.memory = shows_addresses}},
};

}  // namespace

const Object address_object{.words = {"address"}, .name = "address", .verbs = {verbs}};

}  // namespace nlsh
