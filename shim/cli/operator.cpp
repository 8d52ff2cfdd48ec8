#include "shim/cli/operator.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shim/stats/commands.h"
#include "shim/wire/wire.h"

namespace nlsh {

struct OperatorCommands::Given {
    std::string socket = NLSH_DEFAULT_SOCKET;
    bool json = false;
    bool prometheus = false;
    double seconds = 1;
    unsigned rounds = 0;
    std::vector<std::pair<const CLI::App*, std::function<int()>>> commands;

    void add_socket(CLI::App* command) {
        command->add_option("--socket", socket, "Prefix of the server's sockets")
            ->type_name("PATH")
            ->envname("NLSH_SOCKET")
            ->capture_default_str();
    }
    void add_stats(CLI::App& app);
    void add_top(CLI::App& app);
};

void OperatorCommands::Given::add_stats(CLI::App& app) {
    CLI::App* stats = app.add_subcommand("stats", "What the server has done since its start");
    add_socket(stats);
    CLI::Option* as_json = stats->add_flag("--json", json, "As JSON");
    stats->add_flag("--prometheus", prometheus, "In the text format of Prometheus")
        ->excludes(as_json);
    commands.emplace_back(stats, [this] {
        return show_statistics(socket, prometheus ? StatisticsForm::prometheus
                                       : json     ? StatisticsForm::json
                                                  : StatisticsForm::text);
    });
}

void OperatorCommands::Given::add_top(CLI::App& app) {
    CLI::App* top = app.add_subcommand("top", "What the server does, live");
    add_socket(top);
    top->add_option("-d,--delay", seconds, "Seconds between two looks")->capture_default_str();
    top->add_option("-n,--rounds", rounds, "End after so many looks");
    commands.emplace_back(top, [this] { return watch_statistics(socket, seconds, rounds); });
}

OperatorCommands::OperatorCommands(CLI::App& app) : given_(std::make_unique<Given>()) {
    given_->add_stats(app);
    given_->add_top(app);
}

OperatorCommands::~OperatorCommands() = default;

std::optional<int> OperatorCommands::run() const {
    for (const auto& [command, run] : given_->commands) {
        if (command->parsed()) return run();
    }
    return {};
}

}  // namespace nlsh
