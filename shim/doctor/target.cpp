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

// Is there a dynamic linker, which would load the preload?
bool is_dynamic(const std::string& image, const Elf64_Ehdr& header) {
    for (size_t i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!copy_from(image, header.e_phoff + i * sizeof segment, segment)) return false;
        if (segment.p_type == PT_INTERP) return true;
    }
    return false;
}

// What its first line names, after #!; empty when it doesn't.
std::string interpreter_of(const std::string& script) {
    const size_t start = script.find_first_not_of(" \t", 2);
    return start == script.npos
               ? ""
               : script.substr(start, script.find_first_of(" \t\n", start) - start);
}

// The functions that the preload stands in for.
bool calls_us(const std::string& image) {
    constexpr std::array<std::string_view, 4> names{"popen", "system", "exec", "posix_spawn"};
    return std::ranges::any_of(
        names, [&](std::string_view name) { return image.find(name) != image.npos; });
}

// Why the preload doesn't reach a program; empty when it does. Interpreters may be scripts: so
// many.
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
        return "it is no ELF program";
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is a 32-bit program";
    if (!is_dynamic(image, header)) return "it is linked statically: use the PATH shim";
    if (!calls_us(image))
        return "it calls neither popen nor system nor exec itself; a library that it loads may";
    return {};
}

// As a shell finds a program: a name without a slash along PATH.
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

std::string field(const std::string& status, const std::string& name) {
    const size_t at = status.find("\n" + name + ":\t");
    if (at == status.npos) return {};
    const size_t start = at + name.size() + 3;
    return status.substr(start, status.find('\n', start) - start);
}

std::string variable(const std::string& environment, const std::string& name) {
    const std::string text = std::string(1, '\0') + environment;
    const std::string key = std::string(1, '\0') + name + "=";
    const size_t at = text.find(key);
    if (at == text.npos) return {};
    const size_t start = at + key.size();
    return text.substr(start, text.find('\0', start) - start);
}

// Why the library isn't in the process; its environment is that of its start.
std::string why_not_loaded(const std::string& environment) {
    const std::string preload = variable(environment, "LD_PRELOAD");
    if (preload.find("libnlsh-preload") == preload.npos)
        return "start it with LD_PRELOAD=…/libnlsh-preload.so in its environment";
    if (preload.find("$$") != preload.npos)
        return fmt::format("its LD_PRELOAD is {}: write one $, in systemd's units, too", preload);
    return fmt::format("its LD_PRELOAD is {}, which the dynamic linker hasn't loaded", preload);
}

// What the process itself was told, before any server is asked.
std::string own_obstacle(const std::string& environment) {
    const std::string disable = variable(environment, "NLSH_DISABLE");
    if (!disable.empty() && disable != "0") return "NLSH_DISABLE was set at its start";
    return {};
}

// Would its calls be answered? By its own server, where it was told of one.
Check judged(const std::string& name, const std::string& pid, const std::string& environment,
             const std::string& socket_prefix) {
    const std::string own_socket = variable(environment, "NLSH_SOCKET");
    const auto judgement = ask_judgement(own_socket.empty() ? socket_prefix : own_socket, pid);
    if (!judgement)
        return {name, State::failed, "goes the real way",
                "its server can't be asked: " + judgement.error()};
    if (!judgement->empty())
        return {name, State::failed, "goes the real way",
                "the server would refuse it: " + *judgement};
    return {name, State::good, "is served", {}};
}

void check_process(Checks& checks, const std::string& pid, const std::string& socket_prefix) {
    const std::string proc = "/proc/" + pid;
    const std::string status = "\n" + read_file(proc + "/status");
    const std::string name = fmt::format("process {} ({})", pid, field(status, "Name"));
    if (status.size() == 1) {
        checks.push_back({name, State::failed, "there is none, or it can't be read", ""});
        return;
    }
    const std::string environment = read_file(proc + "/environ");
    const bool loaded = read_file(proc + "/maps").find("libnlsh-preload") != std::string::npos;
    checks.push_back({name, loaded ? State::good : State::failed,
                      loaded ? "has the preload" : "hasn't the preload",
                      loaded ? std::string() : why_not_loaded(environment)});
    if (std::string obstacle = own_obstacle(environment); !obstacle.empty()) {
        checks.push_back({name, State::failed, "goes the real way", std::move(obstacle)});
    } else if (variable(environment, "NLSH_ENGINE") == "inproc") {
        checks.push_back({name, State::good, "answers in process, without a server", {}});
    } else {
        checks.push_back(judged(name, pid, environment, socket_prefix));
    }
}

}  // namespace

void check_target(Checks& checks, const std::string& target, const std::string& socket_prefix) {
    const bool number = std::ranges::all_of(target, [](char c) { return c >= '0' && c <= '9'; });
    if (number) {
        check_process(checks, target, socket_prefix);
    } else {
        check_program(checks, target);
    }
}

}  // namespace nlsh
