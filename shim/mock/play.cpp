#include "shim/mock/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "shim/cli/similar.h"

namespace nlsh {
Play::Play(Scenario scenario)
    : scenario_(std::move(scenario)),
      failures_(count(scenario_.failures)),
      expected_(count(scenario_.expected)) {}

std::vector<Play::Counted> Play::count(const std::vector<Expectation>& expectations) {
    std::vector<Counted> counted;
    counted.reserve(expectations.size());
    for (const Expectation& each : expectations)
        counted.push_back({&each, each.times.value_or(0)});
    return counted;
}

Play::Counted* Play::take(std::vector<Counted>& from, const std::string& line) {
    for (Counted& each : from) {
        if (each.open() && each.expectation->matches(line)) return &each;
    }
    return nullptr;
}

// Skips an expectation with any number of times if the next one matches the line.
Play::Counted* Play::take_in_order(const std::string& line) {
    for (size_t i = at_; i < expected_.size(); ++i) {
        Counted& due = expected_[i];
        if (due.open() && due.expectation->matches(line)) {
            at_ = i;
            return &due;
        }
        if (due.wanting()) return nullptr;
    }
    return nullptr;
}

const Expectation* Play::next(const std::string& line) {
    const std::lock_guard lock(mutex_);
    Counted* found = take(failures_, line);
    const bool failure = found != nullptr;
    if (!failure) found = scenario_.strict ? take_in_order(line) : take(expected_, line);
    if (found == nullptr) {
        const bool real = scenario_.unexpected_real;
        events_.push_back({line, real ? Outcome::real : Outcome::unexpected,
                           real ? std::string() : nearest(line)});
        return nullptr;
    }
    if (found->left > 0) --found->left;
    ++found->done;
    const Expectation* expectation = found->expectation;
    events_.push_back({line,
                       failure             ? Outcome::failed
                       : expectation->real ? Outcome::real
                                           : Outcome::answered,
                       {}});
    return expectation;
}

std::string Play::nearest(const std::string& line) const {
    const Expectation* best = nullptr;
    size_t least = 0;
    for (size_t i = scenario_.strict ? at_ : 0; i < expected_.size(); ++i) {
        const Counted& each = expected_[i];
        if (!each.open()) continue;
        const size_t far = distance(line, each.expectation->pattern);
        if (best == nullptr || far < least) {
            best = each.expectation;
            least = far;
        }
        if (scenario_.strict && each.wanting()) break;
    }
    return best == nullptr ? std::string() : best->pattern;
}

bool Play::satisfied() const {
    const std::lock_guard lock(mutex_);
    const auto missing = [](const Counted& each) { return each.wanting(); };
    const auto wrong = [](const Event& event) { return event.outcome == Outcome::unexpected; };
    return std::ranges::none_of(expected_, missing) && std::ranges::none_of(failures_, missing) &&
           std::ranges::none_of(events_, wrong);
}

const char* Play::name(Outcome outcome) {
    constexpr std::array names{"answered", "real", "failed", "UNEXPECTED"};
    return names[static_cast<size_t>(outcome)];
}

// Where the expectation is in the scenario; empty for a rule of --fail.
std::string Play::place(const Expectation& expectation) const {
    if (expectation.where == 0) return {};
    return fmt::format(", {}:{}", scenario_.file, expectation.where);
}

std::string Play::report() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    size_t number = 0;
    for (const Event& event : events_) {
        text += fmt::format("{:>4}  {:<10}  {}\n", ++number, name(event.outcome), event.line);
        if (event.outcome != Outcome::unexpected) continue;
        const std::string wanted = event.nearest.empty() ? "(nothing more)" : event.nearest;
        text += fmt::format("      - {}\n      + {}\n", wanted, event.line);
    }
    for (const auto* list : {&failures_, &expected_}) {
        for (const Counted& each : *list) {
            if (!each.wanting()) continue;
            text +=
                fmt::format("      MISSING     {} ({} of {} times){}\n", each.expectation->pattern,
                            each.done, *each.expectation->times, place(*each.expectation));
        }
    }
    return text;
}

Json Play::json() const {
    const bool good = satisfied();
    const std::lock_guard lock(mutex_);
    Json document{{"satisfied", good}};
    Json& calls = document["calls"] = Json::array();
    for (const Event& event : events_) {
        Json call{{"line", event.line}, {"outcome", name(event.outcome)}};
        if (!event.nearest.empty()) call["nearest"] = event.nearest;
        calls.push_back(std::move(call));
    }
    Json& missing = document["missing"] = Json::array();
    for (const auto* list : {&failures_, &expected_}) {
        for (const Counted& each : *list) {
            if (each.wanting())
                missing.push_back({{"pattern", each.expectation->pattern},
                                   {"times", *each.expectation->times},
                                   {"done", each.done},
                                   {"line", each.expectation->where}});
        }
    }
    return document;
}

}  // namespace nlsh
