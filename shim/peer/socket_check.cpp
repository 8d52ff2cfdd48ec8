#include "shim/peer/socket_check.h"

#include <sys/stat.h>

#include "shim/confine/rights.h"
#include "shim/process/pidfd_calls.h"
#include "shim/wire/plain_sink.h"
#include "shim/wire/root.h"

namespace nlsh {

bool is_strangers(const Connection& connection) {
    return connection.peer().uid != 0 || connection.sender().uid != 0;
}

bool is_anonymous_sink(int descriptor) {
    struct stat file;
    return fstat(descriptor, &file) == 0 && hides_writer(&file);
}

bool are_anonymous(const Descriptor& output, const Descriptor& error) {
    return is_anonymous_sink(output.get()) && is_anonymous_sink(error.get());
}

SocketCheck::SocketCheck(const Places& places)
    : places_(places),
      own_root_(root_number("/")),
      own_capabilities_(effective_capabilities(0) & line_capabilities) {}

// Check capabilities first: a process that enters a user namespace of its own, where it has all of
// them, never comes back.
bool SocketCheck::is_like_us(Connection& connection) const {
    const pid_t pid = connection.sender().pid;
    const Descriptor& process = connection.peer_process();
    return places_.is_own_user_namespace(process, pid) && places_.has_own_label(pid) &&
           is_alive(process);
}

std::string SocketCheck::refusal(Connection& connection, uint64_t root, const Use& use) const {
    const ucred& sender = connection.sender();
    // capget(0) would return our own.
    if (sender.pid <= 0) return "peer is in another pid namespace";
    if (root == 0 || root != own_root_) return "peer is in another root or mount namespace";
    const bool stranger = is_strangers(connection);
    const uint64_t capabilities = effective_capabilities(sender.pid);
    const bool has_ours = !stranger && (own_capabilities_ & ~capabilities) == 0;
    connection.socket()->let_load_modules(has_ours);
    if (!use.changes) return {};
    // By an exec before we look, root gains no more than by an exec of ip. A user may exec a
    // stronger program: the mark shows that the right was there before.
    if (stranger && !use.marked) return "a change, and peer is not root";
    if ((capabilities & capability(CAP_NET_ADMIN)) == 0 || !is_like_us(connection))
        return "peer has no CAP_NET_ADMIN as we have it";
    if (use.writes_files && !has_ours) return "peer has fewer capabilities";
    return {};
}

}  // namespace nlsh
