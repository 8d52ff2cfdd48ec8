#include "backend/objects/route/words/metrics.h"
#include "backend/objects/route/words/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

const RouteMetric* find_metric(std::string_view word) {
    for (const RouteMetric& metric : route_metrics) {
        if (metric.word == word) return &metric;
    }
    for (const RouteMetric& metric : route_metrics) {
        if (metric.prefix && matches(word, metric.word)) return &metric;
    }
    return nullptr;
}

// NUMBER, NUMBERms or NUMBERs. Fractions fall back: iproute2 rounds them.
Parsed<uint32_t> parse_time(std::string_view word, uint32_t units_per_millisecond) {
    constexpr std::string_view seconds[] = {"s", "sec", "secs"};
    constexpr std::string_view milliseconds[] = {"ms", "msec", "msecs"};
    const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view unit = word.substr(digits);
    // No overflow in any unit. A leading zero might mean octal.
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
    // Only other letters are certainly wrong: a fraction, an exponent or hexadecimal digits may be
    // valid.
    const bool word_of_letters = std::ranges::all_of(
        unit, [](char c) { return c >= 'f' && c <= 'z' && c != 'p' && c != 'x'; });
    return word_of_letters ? bad_value("unit of time") : declined("unit of time");
}

Parsed<uint32_t> parse_value(MetricForm form, std::string_view word) {
    switch (form) {
        case MetricForm::number:
            return parse_u32(word);
        case MetricForm::hop_limit:
            return parse_u32(word, UINT8_MAX);
        case MetricForm::boolean:
            return parse_u32(word);
        case MetricForm::features:
            if (word != "ecn") return declined("features");
            return RTAX_FEATURE_ECN;
        case MetricForm::rtt:
        case MetricForm::rtt_variance:
        case MetricForm::rto_min:
            return parse_time(word, units_per_millisecond(form));
        case MetricForm::congestion:
            break;
    }
    return declined("metric");
}

}  // namespace

Parsed<bool> take_metric(RouteMetrics& metrics, Arguments& arguments) {
    const RouteMetric* metric = find_metric(arguments.peek());
    if (metric == nullptr) return false;
    const std::string_view keyword = arguments.take();
    const bool locked = metric->lockable && arguments.take_if("lock");
    if (locked || metric->form == MetricForm::rto_min) metrics.locked |= 1U << metric->number;
    if (metric->form == MetricForm::features &&
        !arguments.traits().lacks(Trait::route_feature_list) && arguments.rest().size() != 1) {
        return declined("features: a list");
    }
    const auto word = arguments.value(keyword);
    if (!word) return std::unexpected(word.error());
    if (metric->form == MetricForm::congestion) {
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
    if (metric->form == MetricForm::boolean && *value > 1) {
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
