// What an operator asks: stats, top and the like.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nlsh {

class OperatorCommands {
  public:
    explicit OperatorCommands(CLI::App& app);
    ~OperatorCommands();

    // `record OPTIONS… PROGRAM…` and `mock OPTIONS… -- PROGRAM…`: takes away the program's words,
    // which aren't ours to parse.
    void take_program(std::vector<std::string>& words);

    // After the command line has been parsed: the exit status of the command that was given.
    std::optional<int> run() const;

  private:
    struct Given;
    std::unique_ptr<Given> given_;
};

}  // namespace nlsh
