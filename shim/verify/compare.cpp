#include "shim/verify/compare.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "shim/json/json.h"
#include "shim/process/exit_status.h"
#include "shim/stats/command_names.h"

namespace nlsh {
namespace {

constexpr size_t shown_max = 800;  // the most of each output in a log
constexpr double rate_of_qualified = 0.001;

// A random number, so that a share of the processes that run a single line is due.
uint64_t some_number_of_this_process() {
    uint32_t number = 0;
    if (const auto* bytes = reinterpret_cast<const void*>(getauxval(AT_RANDOM)))
        std::memcpy(&number, bytes, sizeof number);
    return number;
}

// Ignores digits, and blanks that align columns of numbers.
std::string without_numbers(const std::string& text) {
    std::string rest;
    for (const char c : text) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
        if (digit && rest.ends_with('#')) continue;
        if (c == ' ' && rest.ends_with(' ')) continue;
        rest += digit ? '#' : c;
    }
    return rest;
}

bool same_but_numbers(const Captured& a, const Captured& b) {
    return a.wait_status == b.wait_status &&
           without_numbers(a.output) == without_numbers(b.output) &&
           without_numbers(a.error) == without_numbers(b.error);
}

std::string shown(const Captured& run) {
    return fmt::format("status {}, stdout \"{}\", stderr \"{}\"", exit_status(run.wait_status),
                       run.output.substr(0, shown_max), run.error.substr(0, shown_max));
}

Json as_json(const Captured& run) {
    return {
        {"status", exit_status(run.wait_status)}, {"stdout", run.output}, {"stderr", run.error}};
}

}  // namespace

std::optional<double> verify_rate(std::string_view text) {
    double rate = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
    if (error != std::errc() || end != text.data() + text.size() || !(rate >= 0 && rate <= 1))
        return {};
    return rate;
}

std::optional<double> own_verify_rate() {
    const char* text = secure_getenv("NLSH_VERIFY");
    return text == nullptr ? std::nullopt : std::optional(verify_rate(text).value_or(0));
}

Sampler::Sampler(std::optional<double> rate)
    : rate_(rate), calls_(rate ? 0 : some_number_of_this_process()) {}

bool Sampler::due(const Program& program) {
    const double rate = rate_.value_or(rate_of_qualified);
    if (rate <= 0) return false;
    const auto calls = static_cast<double>(calls_.fetch_add(1, std::memory_order_relaxed));
    if (std::floor((calls + 1) * rate) <= std::floor(calls * rate)) return false;
    return rate_ || !proven_commands(program).empty();
}

std::optional<Verification> run_both(const RunOnce& native, const RunOnce& real) {
    auto first = native();
    if (!first) return {};
    auto reference = real();
    if (!reference) return {};
    Verification result{Verification::Kind::same, std::move(*first), std::move(*reference)};
    if (result.native == result.real) return result;
    auto second = native();
    if (second) result.native = std::move(*second);
    if (result.native == result.real) return result;
    result.kind = same_but_numbers(result.native, result.real) ? Verification::Kind::numbers
                                                               : Verification::Kind::different;
    return result;
}

std::string describe_difference(std::string_view line, const Verification& verification) {
    const bool numbers = verification.kind == Verification::Kind::numbers;
    return fmt::format("verify: {}: `{}`: native: {}; real: {}",
                       numbers ? "numbers differ" : "DIFFERENT", line, shown(verification.native),
                       shown(verification.real));
}

int open_difference_log(const std::string& file) {
    return open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

void append_difference(int file, std::string_view line, const Verification& verification) {
    const Json entry{{"line", line},
                     {"numbers_only", verification.kind == Verification::Kind::numbers},
                     {"native", as_json(verification.native)},
                     {"real", as_json(verification.real)}};
    const std::string text = json_text(entry) + "\n";
    [[maybe_unused]] const ssize_t written = write(file, text.data(), text.size());
}

}  // namespace nlsh
