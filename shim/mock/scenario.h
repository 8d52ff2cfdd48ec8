// What a program is expected to run, and what it is answered: YAML (or JSON, which is YAML).
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

struct Expectation {
    enum class Match { line, glob, regex };
    Match match = Match::line;
    std::string pattern;
    std::string output;
    std::string error;
    int status = 0;
    std::chrono::milliseconds delay{0};
    std::optional<unsigned> times = 1;  // nothing: any number of times, or never
    bool real = false;                  // run it, instead of answering
    unsigned where = 0;                 // its line in the scenario; 0: it isn't of one

    bool matches(const std::string& line) const;
};

struct Scenario {
    std::string file = "scenario";
    bool strict = true;            // in the order of the list, or in any
    bool unexpected_real = false;  // what isn't expected is run, instead of failing the scenario
    std::vector<Expectation> expected;
    std::vector<Expectation> failures;  // come before what is expected, each as often as it says
};

//   order: strict                  # or any
//   unexpected: fail               # or real
//   fail:
//     - '"ip link add *" with "RTNETLINK answers: Device or resource busy" status 2 times 1'
//   commands:
//     - line: ip link show eth0    # or glob: "ip link *", or regex: ^ip (link|addr)
//       output: "…"
//       error: "…"
//       status: 0
//       delay: 20                  # milliseconds
//       times: 1                   # or any
//       real: false                # run it
// The error says what is wrong, and where: "LINE: …". One that expects and fails nothing is an
// error.
std::expected<Scenario, std::string> read_scenario(const std::string& text);

// `"PATTERN" with "MESSAGE" status N times N`; all but the pattern may be left out: status 1, once.
std::expected<Expectation, std::string> read_failure(std::string_view rule);

// A call of a recorded run.
struct RecordedCall {
    std::string line;
    std::string output;
    std::string error;
    int status = 0;
};
// As a strict scenario, which answers what was recorded.
std::string write_scenario(const std::vector<RecordedCall>& calls);

}  // namespace nlsh
