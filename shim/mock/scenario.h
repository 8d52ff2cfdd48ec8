// Reads a scenario: the lines that a program is expected to run, and the answers. YAML (or JSON,
// which is YAML).
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
    std::optional<unsigned> times = 1;  // nullopt: any number of times, or never
    bool real = false;                  // run the line instead of answering it
    unsigned where = 0;                 // its line in the scenario; 0: a rule of --fail

    bool matches(const std::string& line) const;
};

struct Scenario {
    std::string file = "scenario";
    bool strict = true;            // false: in any order
    bool unexpected_real = false;  // run unexpected lines, instead of failing the scenario
    std::vector<Expectation> expected;
    std::vector<Expectation> failures;  // tried before `expected`
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
// The error says where and what: "LINE: …". A scenario that expects nothing and fails nothing is an
// error.
std::expected<Scenario, std::string> read_scenario(const std::string& text);

// Reads `"PATTERN" with "MESSAGE" status N times N`. Only the pattern is needed; the defaults are
// status 1, once.
std::expected<Expectation, std::string> read_failure(std::string_view rule);

// A call of a recorded run.
struct RecordedCall {
    std::string line;
    std::string output;
    std::string error;
    int status = 0;
};
// Writes a strict scenario with the recorded answers.
std::string write_scenario(const std::vector<RecordedCall>& calls);

}  // namespace nlsh
