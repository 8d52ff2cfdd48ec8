// The look-ups of a link before a change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include "backend/net/channel.h"

namespace nlsh {

// The size of a link's hardware address, or the kernel's error.
std::expected<size_t, Verdict> link_address_size(Channel& channel, uint32_t ifindex);

// A link's kind (IFLA_INFO_KIND) and data (IFLA_INFO_DATA, as one string). Empty: it has none.
struct LinkKindData {
    std::string kind;
    std::string data;
};
std::expected<LinkKindData, Verdict> link_kind_data(Channel& channel, uint32_t ifindex);

}  // namespace nlsh
