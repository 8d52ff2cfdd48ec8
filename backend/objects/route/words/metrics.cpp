#include "backend/objects/route/words/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "parser/ip/refusal.h"

namespace nlsh {

namespace {

enum class Form : uint8_t {
    number,
    hop_limit,     // at most 255
    boolean,       // 0 or 1
    features,      // a list; "ecn" is the only one
    congestion,    // an algorithm's name
    rtt,           // eighths of a millisecond, or a number that is taken as it is
    rtt_variance,  // quarters of a millisecond
    rto_min,       // milliseconds; always locked
};

struct Metric {
    std::string_view word;
    bool prefix = false;
    uint8_t number;  // RTAX_*
    Form form = Form::number;
    bool lockable = false;
};

// In iproute2's order where words overlap ("i" is initcwnd).
constexpr Metric metric_table[] = {
    {.word = "mtu", .number = RTAX_MTU, .lockable = true},
    {.word = "hoplimit", .number = RTAX_HOPLIMIT, .form = Form::hop_limit, .lockable = true},
    {.word = "advmss", .number = RTAX_ADVMSS, .lockable = true},
    {.word = "reordering", .prefix = true, .number = RTAX_REORDERING, .lockable = true},
    {.word = "rtt", .number = RTAX_RTT, .form = Form::rtt, .lockable = true},
    {.word = "rto_min", .number = RTAX_RTO_MIN, .form = Form::rto_min},
    {.word = "window", .prefix = true, .number = RTAX_WINDOW, .lockable = true},
    {.word = "cwnd", .prefix = true, .number = RTAX_CWND, .lockable = true},
    {.word = "initcwnd", .prefix = true, .number = RTAX_INITCWND, .lockable = true},
    {.word = "initrwnd", .prefix = true, .number = RTAX_INITRWND, .lockable = true},
    {.word = "features", .prefix = true, .number = RTAX_FEATURES, .form = Form::features},
    {.word = "quickack", .prefix = true, .number = RTAX_QUICKACK, .form = Form::boolean},
    {.word = "congctl",
     .prefix = true,
     .number = RTAX_CC_ALGO,
     .form = Form::congestion,
     .lockable = true},
    {.word = "rttvar",
     .prefix = true,
     .number = RTAX_RTTVAR,
     .form = Form::rtt_variance,
     .lockable = true},
    {.word = "ssthresh", .prefix = true, .number = RTAX_SSTHRESH, .lockable = true},
    {.word = "fastopen_no_cookie",
     .prefix = true,
     .number = RTAX_FASTOPEN_NO_COOKIE,
     .form = Form::boolean},
};

const Metric* find_metric(std::string_view word) {
    for (const Metric& metric : metric_table) {
        if (metric.word == word) return &metric;
    }
    for (const Metric& metric : metric_table) {
        if (metric.prefix && matches(word, metric.word)) return &metric;
    }
    return nullptr;
}

// NUMBER, NUMBERms or NUMBERs. Fractions are the real one's to round.
Parsed<uint32_t> parse_time(std::string_view word, uint32_t units_per_millisecond) {
    constexpr std::string_view seconds[] = {"s", "sec", "secs"};
    constexpr std::string_view milliseconds[] = {"ms", "msec", "msecs"};
    const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view unit = word.substr(digits);
    // Far below an overflow in any unit; a leading zero might be octal.
    if (digits == 0 || digits > 5 || (digits > 1 && word.front() == '0')) return declined("time");
    uint32_t value = 0;
    std::from_chars(word.data(), word.data() + digits, value);
    if (unit.empty()) return value;
    if (std::ranges::find(milliseconds, unit) != std::end(milliseconds)) {
        return value * units_per_millisecond;
    }
    if (std::ranges::find(seconds, unit) != std::end(seconds)) {
        return value * 1000 * units_per_millisecond;
    }
    // Fractions, exponents and hexadecimal digits are the real one's to read.
    const bool word_of_letters = std::ranges::all_of(
        unit, [](char c) { return c >= 'f' && c <= 'z' && c != 'p' && c != 'x'; });
    return word_of_letters ? bad_value("unit of time") : declined("unit of time");
}

Parsed<uint32_t> parse_value(Form form, std::string_view word) {
    switch (form) {
        case Form::number:
            return parse_u32(word);
        case Form::hop_limit:
            return parse_u32(word, UINT8_MAX);
        case Form::boolean:
            return parse_u32(word);
        case Form::features:
            if (word != "ecn") return declined("features");
            return RTAX_FEATURE_ECN;
        case Form::rtt:
            return parse_time(word, 8);
        case Form::rtt_variance:
            return parse_time(word, 4);
        case Form::rto_min:
            return parse_time(word, 1);
        case Form::congestion:
            break;
    }
    return declined("metric");
}

}  // namespace

Parsed<bool> take_metric(RouteMetrics& metrics, Arguments& arguments) {
    const Metric* metric = find_metric(arguments.peek());
    if (metric == nullptr) return false;
    const std::string_view keyword = arguments.take();
    const bool locked = metric->lockable && arguments.take_if("lock");
    if (locked || metric->form == Form::rto_min) metrics.locked |= 1U << metric->number;
    const auto word = arguments.value(keyword);
    if (!word) return std::unexpected(word.error());
    if (metric->form == Form::congestion) {
        if (!metrics.congestion.empty()) return declined("congctl twice: both are sent");
        if (word->empty()) return declined("congctl: an empty name");
        metrics.congestion = *word;
        return true;
    }
    const auto value = parse_value(metric->form, *word);
    if (!value) {
        const std::string_view name = metric->word == "advmss" ? "mss" : metric->word;
        const std::string complaint = fmt::format("\"{}\" value is invalid\n", name);
        return std::unexpected(with_complaint(value.error(), *word, complaint.c_str()));
    }
    if (metric->form == Form::boolean && *value > 1) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: \"{}\" value should be 0 or 1\n\n", *word,
                        metric->word));
    }
    metrics.values[metric->number] = *value;
    return true;
}

bool RouteMetrics::empty() const {
    return locked == 0 && congestion.empty() &&
           std::ranges::none_of(values, [](const auto& value) { return value.has_value(); });
}

}  // namespace nlsh
