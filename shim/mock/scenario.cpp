#include "shim/mock/scenario.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <regex.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <set>

namespace nlsh {
namespace {

constexpr std::string_view any = "any";

// Thrown and caught in this file only.
struct Wrong {
    YAML::Mark where;
    std::string what;
};

// POSIX leaves nested repetitions undefined, and glibc uses unlimited memory for them.
bool repeats_a_repetition(std::string_view pattern) {
    char before = 0;
    for (size_t i = 0; i < pattern.size(); ++i) {
        const char here = pattern[i];
        const bool ended = before != 0 && std::string_view("*+?}").contains(before);
        if (ended && std::string_view("*+?{").contains(here)) return true;
        before = here;
        if (here == '\\') ++i;  // skip the escaped character
        if (here == '[') i = std::min(pattern.find(']', i + 2), pattern.size());
    }
    return false;
}

void check_regex(const YAML::Node& node) {
    regex_t compiled;
    const std::string pattern = node.as<std::string>();
    if (repeats_a_repetition(pattern))
        throw Wrong{node.Mark(), fmt::format("'{}' repeats a repetition", pattern)};
    if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
        throw Wrong{node.Mark(), fmt::format("'{}' is no regular expression", pattern)};
    regfree(&compiled);
}

std::string text_of(const YAML::Node& node) {
    if (node.Tag() == "tag:yaml.org,2002:binary") {
        const auto bytes = node.as<YAML::Binary>();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    return node.as<std::string>();
}

struct Key {
    const char* name;
    void (*read)(Expectation& to, const YAML::Node& value);
};

template <Expectation::Match match>
void read_pattern(Expectation& to, const YAML::Node& value) {
    if (!to.pattern.empty()) throw Wrong{value.Mark(), "one of line, glob and regex is enough"};
    if (match == Expectation::Match::regex) check_regex(value);
    to.match = match;
    to.pattern = text_of(value);
}

void read_status(Expectation& to, const YAML::Node& value) {
    to.status = value.as<int>();
    if (to.status < 0 || to.status > 255) throw Wrong{value.Mark(), "a status is 0 to 255"};
}

void read_times(Expectation& to, const YAML::Node& value) {
    if (value.as<std::string>() == any) {
        to.times.reset();
    } else {
        to.times = value.as<unsigned>();
    }
}

constexpr std::array<Key, 9> keys{{
    {"line", read_pattern<Expectation::Match::line>},
    {"glob", read_pattern<Expectation::Match::glob>},
    {"regex", read_pattern<Expectation::Match::regex>},
    {"output", [](auto& to, const auto& value) { to.output = text_of(value); }},
    {"error", [](auto& to, const auto& value) { to.error = text_of(value); }},
    {"status", read_status},
    {"delay",
     [](auto& to, const auto& value) {
         to.delay = std::chrono::milliseconds(value.template as<unsigned>());
     }},
    {"times", read_times},
    {"real", [](auto& to, const auto& value) { to.real = value.template as<bool>(); }},
}};

// yaml-cpp takes the last of several equal keys.
void check_new(std::set<std::string>& seen, const YAML::Node& key) {
    const auto name = key.as<std::string>();
    if (!seen.insert(name).second) throw Wrong{key.Mark(), fmt::format("'{}' comes twice", name)};
}

Expectation read_expectation(const YAML::Node& node) {
    Expectation expectation;
    expectation.where = static_cast<unsigned>(node.Mark().line + 1);
    if (node.IsScalar()) expectation.pattern = text_of(node);
    if (!node.IsScalar() && !node.IsMap())
        throw Wrong{node.Mark(), "a command is a line, or a map: line: …"};
    std::set<std::string> seen;
    for (const auto& entry : node) {
        const std::string name = entry.first.as<std::string>();
        check_new(seen, entry.first);
        const auto key = std::ranges::find(keys, name, &Key::name);
        if (key == keys.end())
            throw Wrong{entry.first.Mark(), fmt::format("'{}' isn't known", name)};
        key->read(expectation, entry.second);
    }
    if (expectation.pattern.empty()) throw Wrong{node.Mark(), "no line, glob or regex"};
    return expectation;
}

YAML::Node list(const YAML::Node& key, const YAML::Node& value) {
    if (!value.IsSequence())
        throw Wrong{key.Mark(), fmt::format("'{}' takes a list: - …", key.as<std::string>())};
    return value;
}

// False: the first of two words; true: the second.
bool choice(const YAML::Node& value, std::string_view first, std::string_view second) {
    const auto word = value.as<std::string>();
    if (word != first && word != second)
        throw Wrong{value.Mark(), fmt::format("'{}': {} or {}", word, first, second)};
    return word == second;
}

void read_entry(Scenario& scenario, const YAML::Node& key, const YAML::Node& value) {
    const auto name = key.as<std::string>();
    if (name == "order") {
        scenario.strict = !choice(value, "strict", any);
    } else if (name == "unexpected") {
        scenario.unexpected_real = choice(value, "fail", "real");
    } else if (name == "commands") {
        for (const auto& node : list(key, value))
            scenario.expected.push_back(read_expectation(node));
    } else if (name == "fail") {
        for (const auto& node : list(key, value)) {
            auto rule = read_failure(node.as<std::string>());
            if (!rule) throw Wrong{node.Mark(), rule.error()};
            rule->where = static_cast<unsigned>(node.Mark().line + 1);
            scenario.failures.push_back(*rule);
        }
    } else {
        throw Wrong{key.Mark(), fmt::format("'{}' isn't known", name)};
    }
}

}  // namespace

bool Expectation::matches(const std::string& line) const {
    if (match == Match::line) return line == pattern;
    if (match == Match::glob) return fnmatch(pattern.c_str(), line.c_str(), 0) == 0;
    regex_t compiled;
    if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
    const bool found = regexec(&compiled, line.c_str(), 0, nullptr, 0) == 0;
    regfree(&compiled);
    return found;
}

std::expected<Scenario, std::string> read_scenario(const std::string& text) {
    try {
        Scenario scenario;
        const YAML::Node root = YAML::Load(text);
        if (!root.IsMap()) throw Wrong{{}, "a scenario is a map: commands: …"};
        std::set<std::string> seen;
        for (const auto& entry : root) {
            check_new(seen, entry.first);
            read_entry(scenario, entry.first, entry.second);
        }
        if (scenario.expected.empty() && scenario.failures.empty())
            throw Wrong{root.Mark(), "nothing is expected: commands: and fail: are empty"};
        return scenario;
    } catch (const Wrong& wrong) {
        return std::unexpected(
            fmt::format("{}: {}", std::max(wrong.where.line, 0) + 1, wrong.what));
    } catch (const YAML::Exception& error) {
        return std::unexpected(fmt::format("{}: {}", std::max(error.mark.line, 0) + 1, error.msg));
    }
}

std::string write_scenario(const std::vector<RecordedCall>& calls) {
    YAML::Emitter out;
    const auto text = [&out](const char* key, const std::string& value) {
        if (value.empty() && std::string_view(key) != "line") return;
        out << YAML::Key << key << YAML::Value;
        // Base64 encodes bytes that YAML can't hold as text.
        const bool plain = std::ranges::all_of(
            value, [](char c) { return c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f); });
        if (!plain) {
            out << YAML::Binary(reinterpret_cast<const unsigned char*>(value.data()), value.size());
        } else {
            out << YAML::DoubleQuoted << value;
        }
    };
    out << YAML::BeginMap << YAML::Key << "order" << YAML::Value << "strict";
    out << YAML::Key << "commands" << YAML::Value << YAML::BeginSeq;
    for (const RecordedCall& call : calls) {
        out << YAML::BeginMap;
        text("line", call.line);
        text("output", call.output);
        text("error", call.error);
        if (call.status != 0) out << YAML::Key << "status" << YAML::Value << call.status;
        out << YAML::EndMap;
    }
    out << YAML::EndSeq << YAML::EndMap;
    return std::string(out.c_str()) + "\n";
}

}  // namespace nlsh
