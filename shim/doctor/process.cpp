#include "shim/doctor/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "backend/read_file.h"

namespace nlsh {
namespace {

std::string field(const std::string& status, const char* name) {
    const std::string key = fmt::format("\n{}:", name);
    const size_t at = status.find(key);
    if (at == status.npos) return {};
    const size_t start = status.find_first_not_of(" \t", at + key.size());
    const size_t end = status.find('\n', at + 1);
    return start < end ? status.substr(start, end - start) : std::string();
}

// Maps an id that we see to the id within a user namespace (user_namespaces(7)).
unsigned long id_within(const std::string& map, unsigned long id) {
    constexpr unsigned long overflow = 65534;
    std::istringstream ranges(map);
    for (unsigned long within = 0, seen = 0, count = 0; ranges >> within >> seen >> count;)
        if (id >= seen && id - seen < count) return within + (id - seen);
    return overflow;
}

// The first `most` ids in a field of /proc/PID/status, mapped.
std::string ids_within(const std::string& map, const std::string& ids, size_t most) {
    std::string text;
    std::istringstream numbers(ids);
    for (unsigned long id = 0; most > 0 && numbers >> id; --most)
        text += fmt::format("{} ", id_within(map, id));
    return text;
}

std::string rights_of(const std::string& proc, const std::string& status) {
    const std::string uids = read_file(proc + "/uid_map"), gids = read_file(proc + "/gid_map");
    constexpr size_t three = 3;  // real, effective and saved; not the file system's
    std::string text = ids_within(uids, field(status, "Uid"), three) +
                       ids_within(gids, field(status, "Gid"), three);
    for (const char* name : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs"})
        text += field(status, name) + " ";
    text += field(status, "Seccomp") != "0" ? "1 " : "0 ";
    return text + ids_within(gids, field(status, "Groups"), SIZE_MAX);
}

// The path in the last field of the line that names the library.
std::string preload_in(const std::string& maps) {
    const size_t at = maps.find("/libnlsh-preload");
    if (at == maps.npos) return {};
    const size_t line = maps.rfind('\n', at) + 1;  // npos + 1: the first line
    const size_t start = maps.find('/', line);
    return maps.substr(start, maps.find('\n', at) - start);
}

struct NamespaceKind {
    const char* name;
    int type;
};
constexpr std::array<NamespaceKind, 7> namespace_kinds{{{"user", CLONE_NEWUSER},
                                                        {"mnt", CLONE_NEWNS},
                                                        {"net", CLONE_NEWNET},
                                                        {"ipc", CLONE_NEWIPC},
                                                        {"uts", CLONE_NEWUTS},
                                                        {"cgroup", CLONE_NEWCGROUP},
                                                        {"pid", CLONE_NEWPID}}};

// The process's namespaces that aren't ours.
std::expected<std::vector<Namespace>, std::string> namespaces_of(const std::string& proc) {
    std::vector<Namespace> others;
    for (const auto& [name, type] : namespace_kinds) {
        const std::string path = fmt::format("{}/ns/{}", proc, name);
        Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat own{}, other{};
        if (!file && errno == ENOENT) continue;  // the kernel lacks this kind
        if (!file || fstat(file.get(), &other) != 0)
            return std::unexpected(fmt::format("{}: {}", path, strerror(errno)));
        if (stat(fmt::format("/proc/self/ns/{}", name).c_str(), &own) == 0 &&
            own.st_ino == other.st_ino && own.st_dev == other.st_dev)
            continue;
        others.push_back({std::move(file), type});
    }
    return others;
}

}  // namespace

std::string ProcessView::variable(const std::string& name) const {
    for (const std::string& entry : environment)
        if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
    return {};
}

std::expected<ProcessView, std::string> view_process(pid_t pid) {
    const std::string proc = fmt::format("/proc/{}", pid);
    const std::string status = "\n" + read_file(proc + "/status");
    if (status.size() == 1) return std::unexpected("there is no such process");
    ProcessView view;
    view.pid = pid;
    view.name = field(status, "Name");
    view.root = Descriptor(open((proc + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!view.root)
        return std::unexpected(
            fmt::format("it can't be inspected: {}: run `nlsh doctor` as root", strerror(errno)));
    view.environment = split_at_nul(read_file(proc + "/environ"));
    view.preload = preload_in(read_file(proc + "/maps"));
    const std::string own = "\n" + read_file("/proc/self/status");
    view.rights = rights_of(proc, status);
    if (view.rights == rights_of("/proc/self", own)) view.rights.clear();
    view.filtered = field(status, "Seccomp") != "0" && field(own, "Seccomp") == "0";
    auto namespaces = namespaces_of(proc);
    if (!namespaces) return std::unexpected(namespaces.error());
    view.namespaces = std::move(*namespaces);
    return view;
}

}  // namespace nlsh
