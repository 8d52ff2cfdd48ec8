#include "shim/stats/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "shim/json/json.h"
#include "shim/log/message.h"
#include "shim/stats/client.h"
#include "shim/stats/summary.h"

namespace nlsh {
namespace {

int no_server(const std::string& reason) {
    return fail(1, "nlsh: no server: {}\n", reason);
}

std::string rates(const Json& interval) {
    const double seconds = std::max(interval.at("interval_ms").get<double>() / 1e3, 0.001);
    const auto rate = [&](const char* what) {
        return interval.at("lines").at(what).get<double>() / seconds;
    };
    return fmt::format("{:.0f} native lines/s, {:.0f} fell back/s, {:.0f} failed/s\n",
                       rate("native"), rate("fallback"), rate("failed"));
}

// On a terminal each round overwrites the one before.
int draw(const std::string& text) {
    if (isatty(STDOUT_FILENO) == 0) return print(text + '\n');
    std::string screen = "\033[H";
    for (const char c : text)
        screen += c == '\n' ? std::string("\033[K\n") : std::string(1, c);
    return print(screen + "\033[J");
}

}  // namespace

int show_statistics(const std::string& socket_prefix, StatisticsForm form, bool reset) {
    const auto statistics = ask_statistics(socket_prefix, reset);
    if (!statistics) return no_server(statistics.error());
    if (form == StatisticsForm::prometheus) return print(as_prometheus(*statistics));
    if (form == StatisticsForm::text) return print(as_tables(*statistics));
    return print(json_text(with_quantiles(*statistics), 2) + "\n");
}

int watch_statistics(const std::string& socket_prefix, double seconds, unsigned rounds) {
    auto before = ask_statistics(socket_prefix);
    if (!before) return no_server(before.error());
    for (unsigned round = 0; rounds == 0 || round < rounds; ++round) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        auto after = ask_statistics(socket_prefix);
        if (!after) return no_server(after.error());
        const Json interval = difference(*before, *after);
        if (draw(rates(interval) + as_tables(interval)) != 0) return 1;
        before = std::move(after);
    }
    return 0;
}

}  // namespace nlsh
