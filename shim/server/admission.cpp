// Decides whether to serve a caller, as the server's equal or over the caller's own socket.
#include "shim/server/service.h"

namespace nlsh {

std::string Service::attest(Call& call) {
    std::string refusal = call.request.kind == NLSH_EXEC
                              ? peers_.exec_refusal(call.connection, call.request.root, call.start)
                              : peers_.refusal(call.connection, call.start);
    call.not_this_caller = !refusal.empty();
    call.pass_socket = !refusal.empty() && call.connection.socket() == nullptr;
    return refusal;
}

// ReplyStreams checks descriptors that come after the request.
bool Service::takes_output_of_strangers(const Call& call) {
    const RequestView& request = call.request;
    if (!request.says(NLSH_STREAMS | NLSH_STDERR)) return request.kind != NLSH_SYSTEM;
    return are_anonymous(call.connection.came()[0], call.connection.came()[1]);
}

std::string Service::socket_refusal(const Call& call, const Program& program) const {
    if (!program.beyond_netlink.empty())
        return program.beyond_netlink + ": needs more than a netlink socket";
    for (const std::string& file : program.written_files)
        if (!call.request.command.contains(file)) return "a file that the line doesn't name";
    if (is_strangers(call.connection) && !takes_output_of_strangers(call))
        return "its output isn't a pipe";
    return socket_check_.refusal(
        call.connection, call.request.root,
        {.changes = !program.read_only, .writes_files = !program.written_files.empty()});
}

}  // namespace nlsh
