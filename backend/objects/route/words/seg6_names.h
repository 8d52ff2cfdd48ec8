// The words of IPv6 segment routing, for reading and for printing.
#pragma once

#include <string_view>

namespace nlsh {

// By SEG6_IPTUN_MODE_* number.
inline constexpr std::string_view seg6_modes[] = {"inline", "encap", "l2encap", "encap.red",
                                                  "l2encap.red"};

// By SEG6_LOCAL_ACTION_* number.
inline constexpr std::string_view seg6_actions[] = {
    "",        "End",     "End.X",   "End.T",   "End.DX2",       "End.DX6",
    "End.DX4", "End.DT6", "End.DT4", "End.B6",  "End.B6.Encaps", "End.BM",
    "End.S",   "End.AS",  "End.AM",  "End.BPF", "End.DT46"};

// By SEG6_LOCAL_FLV_OP_* number.
inline constexpr std::string_view seg6_flavors[] = {"", "psp", "usp", "usd", "next-csid"};

}  // namespace nlsh
