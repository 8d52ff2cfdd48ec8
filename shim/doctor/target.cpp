#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ranges>
#include <string_view>

#include "backend/read_file.h"
#include "shim/doctor/check.h"
#include "shim/stats/client.h"

namespace nlsh {
namespace {

using State = Check::State;

template <typename T>
bool copy_from(const std::string& bytes, uint64_t at, T& value) {
    if (at > bytes.size() || bytes.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return true;
}

// Whether the program needs a dynamic linker, which loads the preload.
bool is_dynamic(const std::string& image, const Elf64_Ehdr& header) {
    for (size_t i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!copy_from(image, header.e_phoff + i * sizeof segment, segment)) return false;
        if (segment.p_type == PT_INTERP) return true;
    }
    return false;
}

// The interpreter in the first line, after #!; empty: none.
std::string interpreter_of(const std::string& script) {
    const size_t start = script.find_first_not_of(" \t", 2);
    return start == script.npos
               ? ""
               : script.substr(start, script.find_first_of(" \t\n", start) - start);
}

// Whether the image names a function that the preload replaces.
bool calls_us(const std::string& image) {
    constexpr std::array<std::string_view, 4> names{"popen", "system", "exec", "posix_spawn"};
    return std::ranges::any_of(
        names, [&](std::string_view name) { return image.find(name) != image.npos; });
}

// Why the preload doesn't reach a program; empty: it does. Interpreters may be scripts, up to
// `scripts` of them.
std::string unreached(const std::string& path, int scripts = 4) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) return "there is none, or it can't be read";
    if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
        return "it is setuid or setgid: the dynamic linker ignores LD_PRELOAD";
    const std::string image = read_file(path);
    if (image.starts_with("#!")) {
        const std::string interpreter = interpreter_of(image);
        if (interpreter.empty() || scripts == 0) return "it is a script without an interpreter";
        const std::string reason = unreached(interpreter, scripts - 1);
        return reason.empty() ? "" : fmt::format("its interpreter {}: {}", interpreter, reason);
    }
    Elf64_Ehdr header;
    if (!copy_from(image, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return "it isn't an ELF program";
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is a 32-bit program";
    if (!is_dynamic(image, header)) return "it is linked statically: use the PATH shim";
    if (!calls_us(image))
        return "it calls neither popen nor system nor exec itself; a library that it loads may";
    return {};
}

// Finds a program as a shell does: a name without a slash along PATH.
std::string find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    if (name.find('/') != name.npos || path == nullptr) return name;
    for (const auto folder : std::views::split(std::string_view(path), ':')) {
        std::string file = fmt::format("{}/{}", std::string_view(folder), name);
        if (access(file.c_str(), X_OK) == 0) return file;
    }
    return name;
}

void check_program(Checks& checks, const std::string& name) {
    const std::string path = find_program(name);
    const std::string reason = unreached(path);
    const bool unsure = reason.find("a library") != reason.npos;
    checks.push_back({path,
                      reason.empty() ? State::good
                      : unsure       ? State::warning
                                     : State::failed,
                      reason.empty() ? "the preload reaches it" : "the preload may not reach it",
                      reason});
}

// Why the process lacks the library. /proc shows its environment as at its start.
std::string why_not_loaded(const ProcessView& process) {
    const std::string preload = process.variable("LD_PRELOAD");
    if (preload.find("libnlsh-preload") == preload.npos)
        return "start it with LD_PRELOAD=…/libnlsh-preload.so in its environment";
    if (preload.find("$$") != preload.npos)
        return fmt::format("its LD_PRELOAD is {}: write one $, in systemd's units, too", preload);
    return fmt::format("its LD_PRELOAD is {}, which the dynamic linker hasn't loaded", preload);
}

// Why the server declines the process, in more detail than a trial call tells.
std::string judgement(const ProcessView& process, const std::string& socket_prefix) {
    const std::string own_socket = process.variable("NLSH_SOCKET");
    const auto answer =
        ask_judgement(own_socket.empty() ? socket_prefix : own_socket, std::to_string(process.pid));
    if (!answer) return "its server can't be asked: " + answer.error();
    return answer->empty() ? "" : "the server would refuse it: " + *answer;
}

void check_process(Checks& checks, const std::string& number, const std::string& socket_prefix) {
    const auto process = view_process(std::atoi(number.c_str()));
    if (!process) {
        checks.push_back({"process " + number, State::failed, "unknown", process.error()});
        return;
    }
    const std::string name = fmt::format("process {} ({})", number, process->name);
    const bool loaded = !process->preload.empty();
    checks.push_back({name, loaded ? State::good : State::failed,
                      loaded ? "has the preload" : "hasn't the preload",
                      loaded ? std::string() : why_not_loaded(*process)});
    const bool native = loaded && check_calls(checks, name, *process);
    const bool fast = native && std::ranges::all_of(checks, [&](const Check& check) {
                          return !check.name.starts_with(name) || check.state == State::good;
                      });
    const std::string verdict = fast ? "" : judgement(*process, socket_prefix);
    if (!verdict.empty())
        checks.push_back(
            {name, native ? State::warning : State::failed, "not by the server", verdict});
    if (process->filtered)
        checks.push_back({name, State::warning,
                          "it has a system call filter; the trial had one that allows all calls",
                          "run `nlsh doctor` inside its container, too"});
}

}  // namespace

bool is_process(const std::string& target) {
    return std::ranges::all_of(target, [](char c) { return c >= '0' && c <= '9'; });
}

void check_target(Checks& checks, const std::string& target, const std::string& socket_prefix) {
    if (is_process(target)) {
        check_process(checks, target, socket_prefix);
    } else {
        check_program(checks, target);
    }
}

}  // namespace nlsh
