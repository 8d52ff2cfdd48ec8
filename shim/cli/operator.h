// What an operator asks: stats, top and the like.
#pragma once

#include <memory>
#include <optional>

namespace CLI {
class App;
}

namespace nlsh {

class OperatorCommands {
  public:
    explicit OperatorCommands(CLI::App& app);
    ~OperatorCommands();

    // `record OPTIONS… PROGRAM…` and `mock OPTIONS… -- PROGRAM…`: keeps the program's words, which
    // aren't ours to parse, and returns how many words come before them.
    int take_program(int argc, char** argv);

    // After the command line has been parsed: the exit status of the command that was given.
    std::optional<int> run() const;

  private:
    struct Given;
    std::unique_ptr<Given> given_;
};

}  // namespace nlsh
