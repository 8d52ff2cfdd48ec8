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

constexpr ProbeLine probes[] = {
    "ip address add 10.77.0.1/24 dev lo scope host",
    "ip address add 10.77.0.1/24 dev lo",
    "ip address show",
    "ip -j -p address show dev lo",
    "ip -br address show",
    "ip -6 address show",
    "ip -j address show group 5",
    "ip -d address show dev lo",
    coloured("ip -c=always address show dev lo"),
    "ip -s -h address show dev tw0",
    "ip address delete 10.77.0.9/24 dev lo",
    "ip address add 10.77.0.x/24 dev lo",
};

}  // namespace

const Object address_object{
    .words = {"address"}, .name = "address", .verbs = {verbs}, .probes = probes};

}  // namespace nlsh
