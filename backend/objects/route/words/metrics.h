// A route's metrics by number: words of a change, and printed forms.
#pragma once

#include <linux/rtnetlink.h>

#include <cstdint>
#include <string_view>

namespace nlsh {

enum class MetricForm : uint8_t {
    number,
    hop_limit,     // at most 255
    boolean,       // 0 or 1
    features,      // a list; "ecn" is the only one
    congestion,    // an algorithm's name
    rtt,           // eighths of a millisecond, or a plain number
    rtt_variance,  // quarters of a millisecond, or a plain number
    rto_min,       // milliseconds; always locked
};

struct RouteMetric {
    std::string_view word;
    bool prefix = false;
    uint8_t number;  // RTAX_*
    MetricForm form = MetricForm::number;
    bool lockable = false;
};

// In the order in which iproute2 tries them: "i" is initcwnd.
inline constexpr RouteMetric route_metrics[] = {
    {.word = "mtu", .number = RTAX_MTU, .lockable = true},
    {.word = "hoplimit", .number = RTAX_HOPLIMIT, .form = MetricForm::hop_limit, .lockable = true},
    {.word = "advmss", .number = RTAX_ADVMSS, .lockable = true},
    {.word = "reordering", .prefix = true, .number = RTAX_REORDERING, .lockable = true},
    {.word = "rtt", .number = RTAX_RTT, .form = MetricForm::rtt, .lockable = true},
    {.word = "rto_min", .number = RTAX_RTO_MIN, .form = MetricForm::rto_min},
    {.word = "window", .prefix = true, .number = RTAX_WINDOW, .lockable = true},
    {.word = "cwnd", .prefix = true, .number = RTAX_CWND, .lockable = true},
    {.word = "initcwnd", .prefix = true, .number = RTAX_INITCWND, .lockable = true},
    {.word = "initrwnd", .prefix = true, .number = RTAX_INITRWND, .lockable = true},
    {.word = "features", .prefix = true, .number = RTAX_FEATURES, .form = MetricForm::features},
    {.word = "quickack", .prefix = true, .number = RTAX_QUICKACK, .form = MetricForm::boolean},
    {.word = "congctl",
     .prefix = true,
     .number = RTAX_CC_ALGO,
     .form = MetricForm::congestion,
     .lockable = true},
    {.word = "rttvar",
     .prefix = true,
     .number = RTAX_RTTVAR,
     .form = MetricForm::rtt_variance,
     .lockable = true},
    {.word = "ssthresh", .prefix = true, .number = RTAX_SSTHRESH, .lockable = true},
    {.word = "fastopen_no_cookie",
     .prefix = true,
     .number = RTAX_FASTOPEN_NO_COOKIE,
     .form = MetricForm::boolean},
};

// A metric's units in a millisecond; 0: the metric is no time.
constexpr uint32_t units_per_millisecond(MetricForm form) {
    switch (form) {
        case MetricForm::rtt:
            return 8;
        case MetricForm::rtt_variance:
            return 4;
        case MetricForm::rto_min:
            return 1;
        default:
            return 0;
    }
}

}  // namespace nlsh
