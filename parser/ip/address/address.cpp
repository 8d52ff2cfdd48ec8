#include "parser/ip/address/address.h"

#include "parser/ip/address/object.h"

namespace nlsh {

namespace {

Parsed<ObjectResult> unknown(ParseContext&, Arguments) {
    return declined("address: verb not native");
}

constexpr Verb verbs[] = {
    {"add", parse_address_as<AddressVerb::add>},
    {"change", parse_address_as<AddressVerb::change>},
    {"chg", parse_address_as<AddressVerb::change>, true},
    {"replace", parse_address_as<AddressVerb::replace>},
    {"delete", parse_address_as<AddressVerb::del>},
    {"list", parse_address_show},
    {"show", parse_address_show},
    {"lst", parse_address_show},
    {"flush", parse_address_flush},
    {"save", unknown},
    {"showdump", unknown},
    {"restore", unknown},
    {"help", unknown},
};

}  // namespace

Parsed<ObjectResult> parse_address_object(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_address_show);
}

}  // namespace nlsh
