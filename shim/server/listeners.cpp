#include "shim/server/listeners.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "parser/text.h"
#include "shim/files/path_steps.h"
#include "shim/process/pidfd_calls.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

constexpr int processors_max = CPU_SETSIZE;
constexpr int heir_wait_ms = 5000;

std::unexpected<std::string> failed(const std::string& what) {
    return std::unexpected(fmt::format("{}: {}", what, std::strerror(errno)));
}

bool written_by_others(const struct stat& status) {
    return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

// A user who can replace a directory or link on the way could put another socket there. In a sticky
// directory (/tmp) nobody can replace root's files.
std::expected<void, std::string> check_way(const std::string& path) {
    for (const PathStep& step : path_steps(path)) {
        struct stat directory, entry;
        if (stat(step.directory.c_str(), &directory) != 0) return failed(step.directory);
        if (lstat(path_of(step).c_str(), &entry) != 0) return failed(path_of(step));
        const bool sticky = (directory.st_mode & S_ISVTX) != 0 && entry.st_uid == 0;
        if (directory.st_uid != 0 || (written_by_others(directory) && !sticky)) {
            return std::unexpected(fmt::format("{}: users other than root could replace {} in it",
                                               step.directory, step.name));
        }
    }
    return {};
}

// A user who can write to the directory could put another socket there.
std::expected<void, std::string> check_directory(const std::string& prefix) {
    const size_t slash = prefix.rfind('/');
    if (slash == std::string::npos) return std::unexpected("the socket's path must be absolute");
    const std::string directory = prefix.substr(0, slash);
    struct stat status;
    mkdir(directory.c_str(), 0755);
    if (stat(directory.c_str(), &status) != 0) return failed(directory);
    if (status.st_uid != 0 || written_by_others(status)) {
        return std::unexpected(directory +
                               ": must belong to root, and nobody else may write to it");
    }
    return check_way(directory);
}

// Whether the lock's holder is dead: a killed server holds the lock until its heir wakes up
// (heir.h).
bool holder_has_died(int lock) {
    char text[12] = {};
    const ssize_t size = pread(lock, text, sizeof text - 1, 0);
    pid_t process = 0;
    if (size > 0) std::from_chars(text, text + size, process);
    if (process <= 0) return false;
    const Descriptor server = open_process(process);
    pollfd dead{server.get(), POLLIN, 0};
    return !server ? errno == ESRCH : poll(&dead, 1, 0) > 0;
}

std::expected<Descriptor, std::string> take_lock(const std::string& path) {
    Descriptor lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock) return failed(path);
    for (int left = heir_wait_ms; flock(lock.get(), LOCK_EX | LOCK_NB) != 0; --left) {
        if (left == 0 || !holder_has_died(lock.get()))
            return std::unexpected(path + ": a server runs already");
        usleep(1000);
    }
    const std::string own = fmt::format("{:<11}\n", getpid());
    static_cast<void>(pwrite(lock.get(), own.data(), own.size(), 0));
    return lock;
}

// Reads /etc/group itself, because a static program lacks NSS.
std::expected<gid_t, std::string> find_group(const std::string& group) {
    if (group.empty()) return gid_t{0};
    gid_t number = 0;
    if (read_number(group, number)) return number;
    std::ifstream file("/etc/group");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(group + ":")) continue;
        const size_t colon = line.find(':', group.size() + 1);
        if (colon == std::string::npos) continue;
        std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
        return number;
    }
    return std::unexpected(group + ": no such group");
}

// Like bind(), fails if the path names a file that isn't a socket.
bool replace_socket(const std::string& beside, const std::string& path) {
    struct stat status;
    if (lstat(path.c_str(), &status) == 0 && !S_ISSOCK(status.st_mode)) {
        errno = EADDRINUSE;
        return false;
    }
    return rename(beside.c_str(), path.c_str()) == 0;
}

// Changes nothing if the group is right: a sandbox may forbid chown.
bool give_to_group(const std::string& path, gid_t group) {
    struct stat status;
    return lstat(path.c_str(), &status) == 0 &&
           ((status.st_uid == 0 && status.st_gid == group) || chown(path.c_str(), 0, group) == 0);
}

// Binds beside `path` and renames when it listens: a visible socket can always be connected to, and
// a dead server's socket is replaced at once.
std::expected<Descriptor, std::string> listen_at(const std::string& path, const SocketOwner& owner,
                                                 gid_t group) {
    const std::string beside = path + "~";
    const auto address = unix_address(beside);
    if (!address) return std::unexpected(path + ": too long");
    unlink(beside.c_str());
    Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const mode_t mask = umask(0177);
    const bool bound =
        bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0;
    umask(mask);
    if (!bound || !give_to_group(beside, group) || chmod(beside.c_str(), owner.mode) != 0 ||
        listen(socket.get(), owner.backlog) != 0 || !replace_socket(beside, path)) {
        const int error = errno;
        unlink(beside.c_str());
        errno = error;
        return failed(path);
    }
    return socket;
}

// The kernel then adds the sender's credentials to each request; accepted sockets inherit this.
bool ask_for_senders(const Descriptor& socket) {
    const int on = 1;
    return setsockopt(socket.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0;
}

// The path of an inherited socket. An error if the server can't use the socket.
std::expected<std::string, std::string> listening_path(const Descriptor& socket) {
    int type = 0;
    int listening = 0;
    socklen_t size = sizeof type;
    getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size);
    getsockopt(socket.get(), SOL_SOCKET, SO_ACCEPTCONN, &listening, &size);
    sockaddr_un address{};
    socklen_t length = sizeof address - 1;
    if (getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
        address.sun_family != AF_UNIX || type != SOCK_SEQPACKET || listening == 0) {
        return std::unexpected("an inherited socket isn't a listening unix SOCK_SEQPACKET socket");
    }
    return address.sun_path;
}

// Takes the socket that listens at `path` out of `sockets`. Invalid: there is none.
std::expected<Descriptor, std::string> take_inherited(std::vector<Descriptor>& sockets,
                                                      const std::string& path) {
    for (auto socket = sockets.begin(); socket != sockets.end(); ++socket) {
        const auto its_path = listening_path(*socket);
        if (!its_path) return std::unexpected(its_path.error());
        if (*its_path != path) continue;
        Descriptor found = std::move(*socket);
        sockets.erase(socket);
        return found;
    }
    return Descriptor();
}

std::vector<int> processors() {
    cpu_set_t set;
    std::vector<int> numbers;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
    for (int i = 0; i < processors_max; ++i) {
        // Always make socket 0: a client uses it if the client's processor has none.
        if (i == 0 || CPU_ISSET(static_cast<unsigned>(i), &set)) numbers.push_back(i);
    }
    return numbers;
}

}  // namespace

unsigned Listeners::number() {
    return static_cast<unsigned>(processors().size());
}

std::expected<Listeners, std::string> Listeners::open(const std::string& prefix,
                                                      const SocketOwner& owner,
                                                      std::vector<Descriptor> inherited) {
    Listeners result;
    if ((owner.mode & ~0660U) != 0)
        return std::unexpected("the mode of the sockets must be at most 0660");
    const auto group = find_group(owner.group);
    if (!group) return std::unexpected(group.error());
    if (auto checked = check_directory(prefix); !checked) return std::unexpected(checked.error());
    auto lock = take_lock(prefix + ".lock");
    if (!lock) return std::unexpected(lock.error());
    result.lock_ = std::move(*lock);
    for (const int processor : processors()) {
        const std::string path = fmt::format("{}.{}", prefix, processor);
        auto socket = take_inherited(inherited, path);
        const bool ours = socket && !*socket;
        if (ours) socket = listen_at(path, owner, *group);
        if (!socket) return std::unexpected(socket.error());
        if (ours) result.files_.push_back(path);
        if (!ask_for_senders(*socket)) return failed(path);
        result.listeners_.push_back({std::move(*socket), processor, !ours});
    }
    if (!inherited.empty())
        return std::unexpected(fmt::format("the inherited sockets aren't {}.0 and so on", prefix));
    return result;
}

// Leave the lock file: if it were removed, two servers could lock different files.
void Listeners::close() {
    for (const std::string& file : files_)
        unlink(file.c_str());
    files_.clear();
    for (const ListeningSocket& listener : listeners_)
        if (!listener.inherited) shutdown(listener.socket.get(), SHUT_RDWR);
}

void Listeners::abandon() {
    files_.clear();
    listeners_.clear();
    lock_.reset();
}

Listeners::~Listeners() {
    close();
}

}  // namespace nlsh
