// What stands behind a verb of nlsh's own: its options are rows, from which it is read, checked and
// helped with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nlsh {

using GivenWords = std::vector<std::string>;

// Where a value goes. Its type says what it may be, and what is there already is the default: an
// option without a value sets a bool; a list takes each of several.
using Field = std::variant<std::monostate, bool*, int*, unsigned*, double*, std::string*,
                           std::optional<std::string>*, GivenWords*>;

struct Option {
    const char* name = "";  // without its dashes
    char letter = 0;
    const char* value = "";  // what the help calls it
    Field field = {};
    const char* help = "";
    double least = 0;  // of a number
    double most = 4294967295;
    const char* variable = "";  // of the environment: stands for the option where that isn't given
    const char* excludes = "";  // an option that makes no sense beside it
};

// The word or words that aren't options.
struct Operand {
    const char* name = "";  // as the usage shows it; empty: none
    Field field = {};
    const char* help = "";
    // Words are joined, as a shell has to be given them, unless the first is whole by itself.
    bool (*whole)(const std::string& word) = nullptr;
};

// A program with its words, which aren't ours to read.
struct ProgramWords {
    enum class Begins { never, at_once, after_options, after_dashes };
    Begins begins = Begins::never;
    GivenWords* words = nullptr;
    const char* help = "";
};

struct CommandLine {
    std::string_view verb = {};  // empty: nlsh without one
    std::string_view about = {};
    std::vector<Option> options = {};
    Operand operand = {};
    ProgramWords program = {};
    std::string after = {};  // what the help ends with
};

// Reads what stands behind the verb into the rows' fields. A status: nothing is left to do, because
// help was asked for (0) or it is used wrongly (2), of which stderr tells.
std::optional<int> read_arguments(const CommandLine& line, const GivenWords& words);

// `nlsh: TEXT`, and where there is help. Returns 2.
int complain_of_usage(const std::string& text, std::string_view verb = {});

// `nlsh: no program: nlsh USAGE`. Returns 2.
int complain_of_no_program(std::string_view usage);

}  // namespace nlsh
