// One route of the kernel's answer: a view into the message.
#pragma once

#include <linux/rtnetlink.h>

#include "backend/net/attributes.h"

namespace nlsh {

struct Route {
    const rtmsg& header;
    Attributes<RTA_MAX> attributes;

    Attribute operator[](size_t type) const { return attributes[type]; }
    // RTA_TABLE has the whole number; the header only a byte.
    uint32_t table() const {
        return attributes[RTA_TABLE] ? attributes[RTA_TABLE].u32() : header.rtm_table;
    }
};

}  // namespace nlsh
