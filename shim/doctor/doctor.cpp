#include "shim/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "shim/doctor/check.h"
#include "shim/json/json.h"
#include "shim/log/message.h"
#include "shim/log/printable.h"

namespace nlsh {
namespace {

constexpr std::array<const char*, 3> state_names{"good", "warning", "failed"};

const char* name(Check::State state) {
    return state_names[static_cast<size_t>(state)];
}

std::string as_text(const Checks& checks) {
    std::string text;
    for (const Check& check : checks) {
        text += fmt::format("{:<8} {:<22} {}\n", name(check.state), printable(check.name),
                            printable(check.found));
        if (check.state != Check::State::good && !check.advice.empty())
            text += fmt::format("{:>31} {}\n", "->", printable(check.advice));
    }
    const auto count = [&](Check::State state) {
        return std::ranges::count(checks, state, &Check::state);
    };
    return text + fmt::format("{} failed, {} warnings, {} good\n", count(Check::State::failed),
                              count(Check::State::warning), count(Check::State::good));
}

std::string as_json(const Checks& checks) {
    Json list = Json::array();
    for (const Check& check : checks) {
        Json entry{{"name", printable(check.name)},
                   {"state", name(check.state)},
                   {"found", printable(check.found)}};
        if (check.state != Check::State::good) entry["advice"] = printable(check.advice);
        list.push_back(std::move(entry));
    }
    return json_text(list, 2) + "\n";
}

}  // namespace

int doctor(const DoctorCommand& command) {
    Checks checks;
    check_installation(checks, command.socket_prefix);
    if (std::ranges::none_of(command.targets, is_process))
        check_own_calls(checks, command.socket_prefix);
    check_kernel(checks);
    for (const std::string& target : command.targets)
        check_target(checks, target, command.socket_prefix);
    const std::string text = command.json ? as_json(checks) : as_text(checks);
    const bool failed = std::ranges::count(checks, Check::State::failed, &Check::state) > 0;
    return print(text) != 0 || failed ? 1 : 0;
}

}  // namespace nlsh
