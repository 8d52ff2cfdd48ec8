#include "shim/server/service.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>
#include <exception>

#include "shim/engine/caller.h"
#include "shim/engine/stand_in.h"
#include "shim/engine/trace.h"
#include "shim/server/proc_files.h"

namespace nlsh {
namespace {

// A client sends right after it has connected; one that doesn't is stopped or hostile.
constexpr int request_wait_ms = 1000;

ssize_t receive_request(int connection, std::vector<char>& frame) {
    ssize_t got = recv(connection, frame.data(), frame.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && errno == EAGAIN) {
        pollfd wait{connection, POLLIN, 0};
        if (poll(&wait, 1, request_wait_ms) <= 0) return -1;
        got = recv(connection, frame.data(), frame.size(), MSG_DONTWAIT | MSG_TRUNC);
    }
    return got;
}

// The client has shut its sending side down: it takes the real way (wire.h, "Withdrawing").
bool withdrawn(int connection) {
    char byte;
    return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

void reply(int connection, const Reply& reply) {
    const std::string frame = encode_reply(reply);
    send(connection, frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

void Service::answer(int connection, std::vector<char>& frame) {
    const ssize_t got = receive_request(connection, frame);
    if (got <= 0) return;
    const size_t size = static_cast<size_t>(got);
    std::string reason = "request too large";
    if (size <= frame.size()) {
        const auto request = decode_request(std::span(frame.data(), size));
        reason = request ? refusal_or_run(connection, *request) : request.error();
    }
    if (!reason.empty()) reply(connection, {.type = NLSH_DECLINED, .text = reason});
}

// The reason why nothing has run; empty when the line has run and was replied to.
std::string Service::refusal_or_run(int connection, const RequestView& request) {
    if (std::string refusal = peers_.refusal(connection); !refusal.empty()) return refusal;
    const CallerEnvironment caller = caller_environment(request.environment);
    if (request.kind == NLSH_WRITE) return replace(connection, request, caller);
    const auto prepared = engine_.prepare(request.command, caller);
    if (!prepared) return prepared.error().reason.empty() ? "declined" : prepared.error().reason;
    return run(connection, request, **prepared);
}

std::string Service::replace(int connection, const RequestView& request,
                             const CallerEnvironment& caller) {
    const auto line = stand_in(request.command, own_path(),
                               [&](std::string_view word) { return engine_.tool(word, caller); });
    if (!caller.unsupported.empty()) return caller.unsupported + " is set";
    if (!line || line->size() > NLSH_TEXT_MAX) return "no plain batch";
    reply(connection, {.type = NLSH_REPLACED, .text = *line});
    return {};
}

std::string Service::run(int connection, const RequestView& request, const Prepared& prepared) {
    const auto lease = sessions_.lease(connection);
    if (!lease) return "the network namespace can't be entered";
    ProcFiles files;
    ReplyStreams streams(connection, request.kind);
    if (withdrawn(connection)) return "withdrawn";
    const auto evaluation =
        Engine::run(prepared, lease->session(), streams.output(), streams.error(), files);
    if (!evaluation)
        return evaluation.error().reason.empty() ? "declined" : evaluation.error().reason;
    streams.close();
    const int exit_status = streams.broken_pipe() ? 128 + SIGPIPE : evaluation->status;
    reply(connection, {.type = NLSH_DONE,
                       .status = W_EXITCODE(exit_status & 0xff, 0),
                       .output = streams.held(),
                       .text = request.want_text ? describe_failure(*evaluation) : std::string()});
    return {};
}

}  // namespace nlsh
