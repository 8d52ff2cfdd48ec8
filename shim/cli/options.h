// The arguments of nlsh's verbs: options are rows, from which they are read, checked and explained.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nlsh {

using GivenWords = std::vector<std::string>;

// Where a value is stored. The type says which values are valid, and the present value is the
// default. An option without a value sets a bool; a list gets each of several values.
using Field = std::variant<std::monostate, bool*, int*, unsigned*, double*, std::optional<double>*,
                           std::string*, std::optional<std::string>*, GivenWords*>;

struct Option {
    const char* name = "";  // without its dashes
    char letter = 0;
    const char* value = "";  // what the help calls it
    Field field = {};
    const char* help = "";
    double least = 0;  // for numbers
    double most = 4294967295;
    const char* variable = "";  // of the environment: counts if the option isn't given
    const char* excludes = "";  // an option that can't be given together with this one
};

// The words that aren't options.
struct Operand {
    const char* name = "";  // as the usage shows it; empty: none
    Field field = {};
    const char* help = "";
    // Words are joined and quoted for a shell, unless the first is whole by itself.
    bool (*whole)(const std::string& word) = nullptr;
};

// A verb of `nlsh VERB …`, or nlsh without one.
struct Subcommand {
    std::string_view name = {};
    std::string_view about = {};
    // Returns the exit status.
    int (*run)(const Subcommand& verb, const GivenWords& words) = nullptr;
};

// A program and its words, which nlsh doesn't read.
struct ProgramWords {
    enum class Begins { never, at_once, after_options, after_dashes };
    Begins begins = Begins::never;
    GivenWords* words = nullptr;
    const char* help = "";
};

struct CommandLine {
    std::vector<Option> options = {};
    Operand operand = {};
    ProgramWords program = {};
    std::string after = {};  // the end of the help
};

// Reads the words behind the verb into the rows' fields. A status: nothing is left to do, because
// help was printed (0) or the use is wrong (2, with a message).
std::optional<int> read_arguments(const Subcommand& verb, const CommandLine& line,
                                  const GivenWords& words);

// Prints `nlsh: TEXT` and how to get help. Returns 2.
int complain_of_usage(const std::string& text, std::string_view verb = {});

// Prints `nlsh: no program: nlsh USAGE`. Returns 2.
int complain_of_no_program(std::string_view usage);

}  // namespace nlsh
