// Plays a scenario: finds the answer to each line, and collects what happened.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "shim/json/json.h"
#include "shim/mock/scenario.h"

namespace nlsh {

// Thread-safe.
class Play {
  public:
    explicit Play(Scenario scenario);

    // The expectation that answers a line; nullptr: the line is unexpected.
    const Expectation* next(const std::string& line);
    bool unexpected_real() const { return scenario_.unexpected_real; }

    // Whether all expected lines have run, and no other.
    bool satisfied() const;
    std::string report() const;
    Json json() const;

  private:
    struct Counted {
        const Expectation* expectation;
        unsigned left = 0;  // how often the line may still run
        unsigned done = 0;
        bool open() const { return !expectation->times || left > 0; }
        bool wanting() const { return expectation->times && left > 0; }
    };
    enum class Outcome { answered, real, failed, unexpected };
    struct Event {
        std::string line;
        Outcome outcome;
        std::string nearest;  // for an unexpected line: the most similar pattern
    };
    static std::vector<Counted> count(const std::vector<Expectation>& expectations);
    static Counted* take(std::vector<Counted>& from, const std::string& line);
    static const char* name(Outcome outcome);
    Counted* take_in_order(const std::string& line);
    std::string nearest(const std::string& line) const;
    std::string place(const Expectation& expectation) const;

    const Scenario scenario_;
    mutable std::mutex mutex_;
    std::vector<Counted> failures_;
    std::vector<Counted> expected_;
    size_t at_ = 0;  // strict order: the expectation that is due
    std::vector<Event> events_;
};

}  // namespace nlsh
