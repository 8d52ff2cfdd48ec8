// The flags of addresses: their words in a change and in a show's filter, and their printed forms.
#pragma once

#include <linux/if_addr.h>

#include <cstdint>
#include <string_view>

namespace nlsh {

struct AddressFlag {
    enum class Read : uint8_t { never, inet6, always };

    std::string_view word;
    uint32_t bit;             // IFA_F_*
    bool set = true;          // the word means that the bit is set
    Read read = Read::never;  // a change takes the word, for all addresses or for IPv6's
    bool shown = true;
};

// In the order of printing.
inline constexpr AddressFlag address_flags[] = {
    {.word = "secondary", .bit = IFA_F_SECONDARY, .shown = false},  // one of these two is printed
    {.word = "temporary", .bit = IFA_F_TEMPORARY, .shown = false},
    {.word = "primary", .bit = IFA_F_SECONDARY, .set = false, .shown = false},
    {.word = "nodad", .bit = IFA_F_NODAD, .read = AddressFlag::Read::inet6},
    {.word = "optimistic", .bit = IFA_F_OPTIMISTIC, .read = AddressFlag::Read::inet6},
    {.word = "dadfailed", .bit = IFA_F_DADFAILED},
    {.word = "home", .bit = IFA_F_HOMEADDRESS, .read = AddressFlag::Read::inet6},
    {.word = "deprecated", .bit = IFA_F_DEPRECATED},
    {.word = "tentative", .bit = IFA_F_TENTATIVE},
    {.word = "permanent", .bit = IFA_F_PERMANENT, .shown = false},
    {.word = "dynamic", .bit = IFA_F_PERMANENT, .set = false},
    {.word = "mngtmpaddr", .bit = IFA_F_MANAGETEMPADDR, .read = AddressFlag::Read::inet6},
    {.word = "noprefixroute", .bit = IFA_F_NOPREFIXROUTE, .read = AddressFlag::Read::always},
    {.word = "autojoin", .bit = IFA_F_MCAUTOJOIN, .read = AddressFlag::Read::always},
    {.word = "stable-privacy", .bit = IFA_F_STABLE_PRIVACY},
};

}  // namespace nlsh
