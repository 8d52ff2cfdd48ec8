// The arguments of nlsh's verbs. An option is a row, which says how to read, check and explain it.
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
    const char* value = "";  // the value's name in the help
    Field field = {};
    const char* help = "";
    double least = 0;  // for numbers
    double most = 4294967295;
    const char* variable = "";  // environment variable: counts if the option isn't given
    const char* excludes = "";  // an option that can't be given together with this one
};

// The words that aren't options.
struct Operand {
    const char* name = "";  // as the usage shows it; empty: none
    Field field = {};
    const char* help = "";
    // Quotes and joins the words into a line, unless this says that the first word is a whole line.
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

// Reads the words after the verb into the rows' fields. Returns a status if nothing is left to do:
// 0 after printing help, 2 after a message about wrong usage.
std::optional<int> read_arguments(const Subcommand& verb, const CommandLine& line,
                                  const GivenWords& words);

// Prints `nlsh: TEXT` and how to get help. Returns 2.
int complain_of_usage(const std::string& text, std::string_view verb = {});

// Prints `nlsh: no program: nlsh USAGE`. Returns 2.
int complain_of_no_program(std::string_view usage);

}  // namespace nlsh
