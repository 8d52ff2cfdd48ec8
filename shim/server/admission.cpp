// Decides whether to serve a caller, as the server's equal or over the caller's own socket.
#include "shim/server/service.h"

namespace nlsh {

std::string Service::attest(Call& call) {
    std::string refusal = call.request.kind == NLSH_EXEC
                              ? peers_.exec_refusal(call.connection, call.request.root, call.start)
                              : peers_.refusal(call.connection, call.start);
    call.not_this_caller = !refusal.empty();
    // A change by a user needs a socket with its own request.
    const bool passed = is_strangers(call.connection) ? call.request.says(NLSH_NETLINK)
                                                      : call.connection.socket() != nullptr;
    call.pass_socket = !refusal.empty() && !passed;
    return refusal;
}

// ReplyStreams and HeldStreams check descriptors that come after the request. Then a show falls
// back, but the output of a change would be lost.
bool Service::takes_output_of_strangers(const Call& call, bool changes) {
    const RequestView& request = call.request;
    if (changes && request.kind == NLSH_EXEC) return false;
    if (!request.says(NLSH_STREAMS | NLSH_STDERR)) return request.kind != NLSH_SYSTEM && !changes;
    return are_anonymous(call.connection.came()[0], call.connection.came()[1]);
}

std::string Service::socket_refusal(Call& call, const Program& program) const {
    if (!program.beyond_netlink.empty())
        return program.beyond_netlink + ": needs more than a netlink socket";
    for (const std::string& file : program.written_files)
        if (!call.request.command.contains(file)) return "a file that the line doesn't name";
    CallersSocket& socket = *call.connection.socket();
    const SocketCheck::Use use{.changes = !program.read_only,
                               .writes_files = !program.written_files.empty(),
                               .marked = call.request.says(NLSH_NETLINK) && socket.was_marked()};
    if (is_strangers(call.connection) && !takes_output_of_strangers(call, use.changes)) {
        call.pass_streams = !call.request.says(NLSH_STREAMS | NLSH_STDERR);
        return "its output isn't a pipe";
    }
    return socket_check_.refusal(call.connection, call.request.root, use);
}

}  // namespace nlsh
