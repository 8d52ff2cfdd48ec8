#include "preload/client/client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/caller/caller.h"
#include "preload/caller/own_socket.h"
#include "preload/caller/place.h"
#include "preload/client/kept.h"
#include "preload/client/match.h"
#include "preload/settings/config.h"
#include "preload/settings/variables.h"
#include "shim/netns/kept_socket.h"
#include "shim/wire/call.h"

extern char** environ;

static void begin(struct call* call) {
    call->status = 0;
    call->output_size = 0;
    call->text[0] = 0;
    call->reason = "no server";
    call->line_declined = false;
    call->way = NULL;
    call->reused = call->passed = false;
    call->slot = KEPT_NONE;
    call->cpu = wire_processor();
}

/* Until this time (kept_now_ms), don't ask the server, because it didn't answer. 0: it did. */
static _Atomic int64_t silent_until;
enum { SILENCES = 5 }; /* in timeouts */

static bool is_silent(struct call* call) {
    const int64_t until = atomic_load_explicit(&silent_until, memory_order_relaxed);
    if (until == 0 || kept_now_ms() >= until) return false;
    call->socket = -1;
    call->reason = "server doesn't answer";
    return true;
}

static void remember_silence(void) {
    atomic_store_explicit(&silent_until, kept_now_ms() + (int64_t)SILENCES * config()->timeout_ms,
                          memory_order_relaxed);
}

/* Makes reads block, up to the timeout. A thread that blocks in a read gets its answer even if
 * another thread closes all descriptors. */
static bool let_wait(int socket) {
    const struct timeval wait = {.tv_sec = config()->timeout_ms / 1000,
                                 .tv_usec = config()->timeout_ms % 1000 * 1000L};
    return fcntl(socket, F_SETFL, 0) == 0 &&
           setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0;
}

bool call_connect_anew(struct call* call) {
    begin(call);
    if (is_silent(call)) return false;
    call->socket = wire_connect(config()->socket, call->cpu);
    if (call->socket < 0 && errno == EPERM) call->reason = "the server is another user's";
    if (call->socket < 0) return false;
    if (let_wait(call->socket)) return true;
    call_close(call);
    return false;
}

bool call_connect(struct call* call) {
    begin(call);
    if (is_silent(call)) return false;
    call->slot = kept_take(call->cpu, &call->socket);
    call->reused = call->slot != KEPT_NONE;
    if (call->reused) return true;
    if (!call_connect_anew(call)) return false;
    call->slot = kept_reserve();
    return true;
}

int call_release(struct call* call) {
    const int socket = call->socket;
    if (call->slot != KEPT_NONE) kept_drop(call->slot);
    call->slot = KEPT_NONE;
    call->socket = -1;
    return socket;
}

void call_close(struct call* call) {
    const int socket = call_release(call);
    if (socket >= 0) close(socket);
}

/* If the caller and the server are in different network namespaces, the server sends a connection
 * (`apart`) that replaces this one. */
static bool move_apart(struct call* call, const struct nlsh_reply* reply, int apart) {
    if (!(reply->flags & NLSH_KEPT_APART)) return true;
    if (apart < 0) return false;
    close(call->socket);
    call->socket = apart;
    return let_wait(apart);
}

/* Keeps the connection for the next call if the server keeps its end. */
static void keep_or_close(struct call* call, const struct nlsh_reply* reply, int apart) {
    if (call->slot != KEPT_NONE && (reply->flags & NLSH_KEPT) && move_apart(call, reply, apart) &&
        kept_put(call->slot, call->socket, call->cpu, !call->reused)) {
        call->slot = KEPT_NONE;
        call->socket = -1;
        return;
    }
    call_close(call);
}

static uint32_t request_flags(const struct call* call) {
    static const int flags[] = {0, NLSH_STDERR, NLSH_STREAMS};
    const bool ignored = call->streams == STREAMS_BOTH && sigpipe_ignored();
    return (uint32_t)((config()->trace[0] ? NLSH_WANT_TEXT : 0) |
                      (call->slot != KEPT_NONE ? NLSH_KEEP | NLSH_KEEP_APART : 0) |
                      flags[call->streams] | (ignored ? NLSH_STREAMS_SIGPIPE_IGNORED : 0) |
                      (call->passed ? NLSH_NETLINK : 0));
}

static const int streams[][RELAY_OUTPUTS] = {[STREAMS_ERROR] = {2, 2}, [STREAMS_BOTH] = {1, 2}};

/* netlink: -1, or the socket to send. */
static bool send_request(const struct call* call, enum nlsh_kind kind, const char* line,
                         int netlink) {
    const size_t length = strlen(line);
    struct iovec parts[2 + NLSH_VARIABLE_COUNT];
    uint32_t environment = 0;
    const int variables = gather_variables(environ, parts + 2, &environment);
    if (variables < 0 || length > NLSH_REQUEST_MAX || environment > NLSH_REQUEST_MAX) return false;
    struct nlsh_request header = {.magic = NLSH_MAGIC,
                                  .version = NLSH_VERSION,
                                  .kind = (uint8_t)kind,
                                  .flags = request_flags(call),
                                  .command_size = (uint32_t)length,
                                  .environment_size = environment,
                                  .root = place_root()};
    if (sizeof header + length + environment > NLSH_REQUEST_MAX) return false;
    parts[0] = (struct iovec){&header, sizeof header};
    parts[1] = (struct iovec){(void*)(uintptr_t)line, length};
    const bool passed = call->streams != STREAMS_NONE;
    const int* const outputs = call->relay.used ? call->relay.given : streams[call->streams];
    const struct wire_descriptors descriptors = {passed ? outputs : NULL, netlink};
    return wire_send(call->socket, parts, (size_t)variables + 2, &descriptors);
}

/* Buffers for the reply: output and text, or only the text if the call takes no output. */
static struct wire_body body(struct call* call, int* apart, const char* line) {
    char* const bytes = call->output ? call->output : call->text;
    const size_t output = call->output ? NLSH_OUTPUT_MAX : 0;
    return (struct wire_body){bytes, output, NLSH_TEXT_MAX, apart, line, NULL};
}

static int keep_text(struct call* call, const struct nlsh_reply* reply, int error) {
    if (error == 0 && call->output)
        memcpy(call->text, call->output + reply->output_size, reply->text_size);
    if (error == 0) call->text[reply->text_size] = 0;
    return error;
}

static int receive(struct call* call, struct nlsh_reply* reply, const char* line) {
    const struct wire_body into = body(call, NULL, line);
    return keep_text(call, reply, wire_receive(call->socket, reply, &into));
}

static enum answer real(struct call* call, const char* reason) {
    call->reason = reason;
    call_close(call);
    return ANSWER_REAL;
}

static enum answer done(struct call* call, int32_t status, uint32_t output_size) {
    call->status = status;
    call->output_size = output_size;
    call_close(call);
    return ANSWER_DONE;
}

/* Returns what wire_receive_first does; EBADMSG: the request couldn't be sent. */
static int ask_once(struct call* call, enum nlsh_kind kind, const char* line,
                    struct nlsh_reply* reply, int* apart) {
    const int netlink = call->passed ? wire_netlink_socket() : -1;
    call->passed = netlink >= 0;
    const bool marks = call->passed && !is_plain_show(line);
    const uint64_t marked = marks ? own_socket_mark(netlink, call->socket) : 0;
    const bool sent = send_request(call, kind, line, netlink);
    if (netlink >= 0 && marked == 0) close(netlink);
    const struct wire_body into = body(call, call->slot != KEPT_NONE ? apart : NULL, line);
    const int error =
        sent ? wire_receive_first(call->socket, reply, &into, true, config()->timeout_ms) : EBADMSG;
    if (marked != 0) own_socket_unmark(netlink, marked);
    if (error == ETIMEDOUT) remember_silence();
    return keep_text(call, reply, error);
}

/* The server died, or another thread closed our socket and may have reused its number. A show that
 * has written nothing can run again. */
static enum answer lost(struct call* call) {
    if (call->reused && !kept_is_there(call->slot)) call_release(call);
    return call->streams != STREAMS_BOTH && is_plain_show(call->line)
               ? real(call, "the connection is lost")
               : done(call, STATUS_CUT_OFF, 0);
}

/* Whether the server may serve the call if we send it more descriptors. */
static bool passes_more(struct call* call, const struct nlsh_reply* reply, bool* passed) {
    if (own_socket_is_wanted(reply, *passed)) return *passed = true;
    const bool wanted = reply->type == NLSH_DECLINED && (reply->flags & NLSH_PASS_STREAMS);
    if (!wanted || call->streams >= call->open) return false;
    call->streams = call->open;
    return true;
}

/* With each change by a user, the server wants the socket and pipes for the output. */
static void prepare_users_change(struct call* call) {
    if (!own_socket_is_of_user() || may_print(call->line) || call->open == STREAMS_NONE) return;
    if (!relay_begin(&call->relay, streams[call->open], call->line)) return;
    call->passed = true;
    call->streams = call->open;
}

static enum answer ask(struct call* call, enum nlsh_kind kind, const char* line) {
    struct nlsh_reply reply;
    int apart = -1;
    call->passed = !call->reused && own_socket_is_needed();
    prepare_users_change(call);
    int error = ask_once(call, kind, line, &reply, &apart);
    const bool refused = error == 0 && reply.type == NLSH_DECLINED;
    if (call->reused &&
        (error == EBADMSG || error == ECONNRESET || (refused && !kept_is_mine(call->slot)))) {
        /* The server closed the kept connection, or it is a parent's: nothing has run. */
        call_close(call);
        if (!call_connect_anew(call)) return ANSWER_REAL;
        call->passed = own_socket_is_needed();
        error = ask_once(call, kind, line, &reply, &apart);
    }
    for (bool passed = call->passed; error == 0 && passes_more(call, &reply, &passed);) {
        call_close(call);
        if (!call_connect_anew(call)) return ANSWER_REAL;
        call->passed = passed = passed || own_socket_is_needed();
        error = ask_once(call, kind, line, &reply, &apart);
    }
    if (error == EBADMSG) return real(call, "can't send");
    if (error == ETIMEDOUT) return real(call, "server doesn't answer");
    if (error == ECONNRESET) return real(call, "server died before");
    if (error != 0) return lost(call);
    if (reply.flags & NLSH_BY_SOCKET) call->way = "own-socket";
    switch (reply.type) {
        case NLSH_DECLINED:
            call->line_declined = !(reply.flags & NLSH_NOT_THIS_CALLER);
            return real(call, call->text[0] ? call->text : "declined");
        case NLSH_STREAM:
            return ANSWER_STREAM;
        case NLSH_DONE:
            keep_or_close(call, &reply, apart);
            return done(call, reply.status, reply.output_size);
        default:
            return done(call, STATUS_CUT_OFF, 0);
    }
}

enum answer call_ask(struct call* call, enum nlsh_kind kind, const char* line) {
    call->line = line;
    call->relay.used = false;
    const enum answer answer = ask(call, kind, line);
    relay_end(&call->relay);
    return answer;
}

void call_give_streams(struct call* call, int output, int error) {
    const int null = output < 0 || error < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    wire_give_streams(call->socket, sigpipe_ignored(), output < 0 ? null : output,
                      error < 0 ? null : error);
    if (null >= 0) close(null);
}

void call_finish(struct call* call) {
    struct nlsh_reply reply;
    const bool answered = receive(call, &reply, call->line) == 0 && reply.type == NLSH_DONE;
    done(call, answered ? reply.status : STATUS_CUT_OFF, 0);
}

bool call_replace(struct call* call, const char* line) {
    struct nlsh_reply reply;
    call->output = NULL;
    call->reason = "server doesn't answer";
    bool replaced = false;
    if (send_request(call, NLSH_WRITE, line, -1) && wire_wait(call->socket, config()->timeout_ms) &&
        receive(call, &reply, NULL) == 0) {
        replaced = reply.type == NLSH_REPLACED;
        call->line_declined = !replaced && !(reply.flags & NLSH_NOT_THIS_CALLER);
        call->reason = replaced ? "batch by nlsh" : call->text[0] ? call->text : "declined";
    }
    call_close(call);
    return replaced;
}

uint32_t call_cookie(int socket) {
    return (uint32_t)socket_cookie(socket);
}
