#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "parser/ip/traits/trait_names.h"
#include "shim/builds/record_place.h"
#include "shim/builds/reference.h"
#include "shim/doctor/check.h"
#include "shim/engine/disabled.h"
#include "shim/process/captured.h"
#include "shim/process/places.h"
#include "shim/replay/attempts.h"
#include "shim/replay/qualify_builds.h"
#include "shim/run/run.h"
#include "shim/stats/client.h"

namespace nlsh {
namespace {

using State = Check::State;

// The age of the record in `file`.
std::string age_of(const std::string& file) {
    struct stat status;
    if (file.empty() || stat(file.c_str(), &status) != 0) return {};
    constexpr time_t hour = 3600, day = 24 * hour;
    const time_t age = std::max<time_t>(time(nullptr) - status.st_mtime, 0);
    const std::string text =
        age < 2 * day ? fmt::format("{} hours", age / hour) : fmt::format("{} days", age / day);
    return fmt::format(" {} ago ({})", text, file);
}

// The build, how nlsh knows it, and what falls back with it.
std::string described(const Profile& profile) {
    if (profile.proof.empty()) return profile.build + ", whose traits are written down";
    std::string text =
        fmt::format("{}, which calls itself {}, was qualified by recordings{}", profile.build,
                    profile.version.empty() ? "nothing" : profile.version, age_of(profile.record));
    constexpr size_t shown_max = 8;
    const std::vector<std::string> shown(
        profile.left.begin(),
        profile.left.begin() + static_cast<ptrdiff_t>(std::min(profile.left.size(), shown_max)));
    if (!shown.empty()) text += fmt::format("; left to it: {}", fmt::join(shown, ", "));
    if (shown.size() < profile.left.size())
        text += fmt::format(" and {} more", profile.left.size() - shown.size());
    std::vector<std::string_view> open;
    open.reserve(profile.undecided.size());
    for (const Trait trait : profile.undecided)
        open.push_back(trait_name(trait));
    if (!open.empty()) text += fmt::format("; open: {}", fmt::join(open, ", "));
    return text;
}

// Why an unknown build has no record.
std::string qualification_so_far() {
    const auto place = place_to_write();
    if (!place) return "no place for a record: " + place.error();
    const Attempts attempts = attempts_for(*place, key_of_builds());
    if (attempts.number == 0) return "nothing has qualified it yet";
    constexpr time_t minute = 60;
    return fmt::format("qualified {} times in vain, or not to the end yet; last {} minutes ago",
                       attempts.number, (time(nullptr) - attempts.last) / minute);
}

void check_tool(Checks& checks, Tool tool, const char* name) {
    const std::string path = reference_path(tool);
    if (path.empty()) {
        checks.push_back({name, State::failed, "there is none", "apt-get install iproute2"});
    } else if (const auto profile = reference_profile(tool, path)) {
        checks.push_back(
            {name,
             profile->left.empty() && profile->undecided.empty() ? State::good : State::warning,
             fmt::format("{}, {}", path, described(*profile)),
             "lines that depend on unknown traits fall back"});
    } else {
        const std::string version = reference_version(path);
        checks.push_back(
            {name, State::failed,
             fmt::format("{}, {}, isn't known; {}", path,
                         version.empty() ? "without a version" : version, qualification_so_far()),
             "every command falls back until it is qualified: nlsh qualify"});
    }
}

void check_shell(Checks& checks) {
    char target[PATH_MAX];
    const ssize_t size = readlink("/bin/sh", target, sizeof target);
    const std::string shell(target, size > 0 ? static_cast<size_t>(size) : 0);
    const std::string name = shell.substr(shell.rfind('/') + 1);
    const bool known = name == "dash" || name == "bash";
    checks.push_back({"/bin/sh", known ? State::good : State::failed,
                      shell.empty() ? "no symbolic link" : shell,
                      "make it dash or bash: only these are imitated"});
}

// Tries to load the preload: the dynamic linker complains on stderr if it can't.
void check_preload(Checks& checks) {
    const std::string path = preload_path();
    if (path.empty()) {
        checks.push_back({"preload", State::failed, "libnlsh-preload.so isn't found",
                          "install it beside nlsh, or in ../lib/nlsh"});
        return;
    }
    const auto run = run_captured({.line = "/bin/true",
                                   .environment = {"LD_PRELOAD=" + path, "PATH=/usr/bin:/bin"},
                                   .directory = {},
                                   .limit = quick_limit});
    const bool loads = run && run->wait_status == 0 && run->error.empty();
    checks.push_back({"preload", loads ? State::good : State::failed, path,
                      "it can't be loaded: " + (run ? run->error : strerror(run.error()))});
}

void check_switch(Checks& checks, const std::string& socket_prefix) {
    const std::string file = kill_switch_file(socket_prefix);
    const bool there = access(file.c_str(), F_OK) == 0;
    const bool disabled = !disabled_reason().empty() && !there;
    if (there) {
        checks.push_back({"kill switch", State::failed, file + " exists", "rm " + file});
    } else if (disabled) {
        checks.push_back({"kill switch", State::failed, disabled_reason(), "unset NLSH_DISABLE"});
    } else {
        checks.push_back({"kill switch", State::good, "off", {}});
    }
}

void check_directory(Checks& checks, const std::string& socket_prefix) {
    const std::string directory = socket_prefix.substr(0, socket_prefix.rfind('/'));
    struct stat status{};
    if (stat(directory.c_str(), &status) != 0) {
        checks.push_back({"socket's directory", State::warning,
                          fmt::format("{}: {}", directory, strerror(errno)),
                          "start the server: nlsh serve"});
        return;
    }
    const bool safe = status.st_uid == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    checks.push_back(
        {"socket's directory", safe ? State::good : State::failed,
         fmt::format("{}, uid {}, mode {:o}", directory, status.st_uid, status.st_mode & 07777U),
         fmt::format("chown root {0} && chmod 755 {0}", directory)});
}

// Whether systemd has booted this machine, and our package's unit is installed.
std::string how_to_start() {
    for (const char* unit : {"/lib/systemd/system/nlsh.service", "/etc/systemd/system/nlsh.service",
                             "/usr/local/lib/systemd/system/nlsh.service"})
        if (access("/run/systemd/system", F_OK) == 0 && access(unit, F_OK) == 0)
            return "`systemctl status nlsh.socket nlsh.service` says why; start it: "
                   "systemctl restart nlsh.socket nlsh.service";
    return "start it: nlsh serve (or set NLSH_SOCKET to its sockets)";
}

// Warns if a shell finds another `nlsh` first: two packages of PyPI have one.
void check_name(Checks& checks) {
    struct stat own{};
    if (stat("/proc/self/exe", &own) != 0) return;
    const char* path = getenv("PATH");
    std::istringstream directories(path == nullptr ? "" : path);
    for (std::string directory; std::getline(directories, directory, ':');) {
        const std::string file = directory + "/nlsh";
        struct stat found{};
        if (stat(file.c_str(), &found) != 0 || access(file.c_str(), X_OK) != 0) continue;
        const bool same = found.st_dev == own.st_dev && found.st_ino == own.st_ino;
        if (!same)
            checks.push_back(
                {"command nlsh", State::warning, file + " isn't this program",
                 fmt::format("PATH finds it first: remove it, or say {}", own_program())});
        return;
    }
}

void check_server(Checks& checks, const std::string& socket_prefix) {
    const auto statistics = ask_statistics(socket_prefix);
    if (!statistics) {
        checks.push_back({"server", State::warning, statistics.error(), how_to_start()});
        return;
    }
    const auto lines = statistics->at("lines");
    const auto native = lines.at("native").get<uint64_t>();
    const auto fallback = lines.at("fallback").get<uint64_t>();
    const bool idle = native == 0 && fallback > 0;
    checks.push_back(
        {"server", idle ? State::warning : State::good,
         fmt::format("answers, up {} s, {} lines native, {} fell back",
                     statistics->at("uptime_ms").get<uint64_t>() / 1000, native, fallback),
         "nothing is native: `nlsh stats` says why"});
}

}  // namespace

void check_installation(Checks& checks, const std::string& socket_prefix) {
    check_tool(checks, Tool::ip, "ip");
    check_tool(checks, Tool::bridge, "bridge");
    check_name(checks);
    check_shell(checks);
    check_preload(checks);
    check_switch(checks, socket_prefix);
    check_directory(checks, socket_prefix);
    check_server(checks, socket_prefix);
}

}  // namespace nlsh
