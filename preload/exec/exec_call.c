#include "preload/exec/exec_call.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/caller/own_socket.h"
#include "preload/exec/in_place.h"
#include "preload/libc/text.h"
#include "preload/settings/config.h"
#include "preload/settings/variables.h"
#include "shim/wire/root.h"

enum { WORDS_MAX = 64 };

/* Faster than wire_processor() in a forked child, where libc's code isn't mapped. */
static unsigned processor(void) {
    unsigned number;
    return syscall(SYS_getcpu, &number, NULL, NULL) == 0 ? number : 0;
}

bool exec_connect(struct exec_call* call) {
    call->text = "";
    call->socket = wire_connect(config()->socket, processor());
    call->elsewhere = call->socket < 0;
    call->reason =
        call->socket < 0 && errno == EPERM ? "the server is another user's" : "no server";
    return call->socket >= 0;
}

/* Gathers the file, then argv. 0: too many. */
static size_t gather_words(const char* file, char* const* arguments, struct iovec* parts,
                           uint32_t* size) {
    size_t count = 0;
    for (const char* word = file; word; word = arguments[count - 1]) {
        if (count == WORDS_MAX) return 0;
        parts[count] = (struct iovec){(void*)(uintptr_t)word, text_length(word) + 1};
        *size += (uint32_t)parts[count++].iov_len;
        if (*size > NLSH_REQUEST_MAX / 2) return 0;
    }
    return count;
}

static bool send_request(const struct exec_call* call, const char* file, char* const* arguments,
                         char* const* environment, int netlink) {
    enum { FIRST = 1 }; /* of the words */
    struct iovec parts[FIRST + WORDS_MAX + NLSH_VARIABLE_COUNT];
    struct nlsh_request header = {.magic = NLSH_MAGIC,
                                  .version = NLSH_VERSION,
                                  .kind = NLSH_EXEC,
                                  .flags = (uint32_t)((config()->trace[0] ? NLSH_WANT_TEXT : 0) |
                                                      (call->terminal ? NLSH_TERMINAL : 0) |
                                                      (netlink >= 0 ? NLSH_NETLINK : 0)),
                                  .root = root_number("/")};
    const size_t words = gather_words(file, arguments, parts + FIRST, &header.command_size);
    if (words == 0) return false;
    const int variables =
        gather_variables(environment, parts + FIRST + words, &header.environment_size);
    if (variables < 0) return false;
    if (sizeof header + header.command_size + header.environment_size > NLSH_REQUEST_MAX)
        return false;
    parts[0] = (struct iovec){&header, sizeof header};
    const struct wire_descriptors descriptors = {NULL, netlink};
    return wire_send(call->socket, parts, FIRST + words + (size_t)variables, &descriptors);
}

static enum exec_answer declined(struct exec_call* call, const char* reason) {
    call->reason = reason;
    return EXEC_REAL;
}

static enum exec_answer done(struct exec_call* call, const struct nlsh_reply* reply) {
    call->status = reply->status;
    call->unchanged = (reply->flags & NLSH_UNCHANGED) != 0;
    call->to_stderr = (reply->flags & NLSH_TO_STDERR) != 0;
    call->by_socket = (reply->flags & NLSH_BY_SOCKET) != 0;
    return EXEC_DONE;
}

/* The command may have run, completely or in part: it must not run again. */
static enum exec_answer cut_off(struct exec_call* call) {
    call->status = SIGKILL;
    call->unchanged = call->by_socket = false;
    call->output_size = 0;
    return EXEC_DONE;
}

/* False: the server hasn't got the request. */
static bool send_with_socket(const struct exec_call* call, const struct program* program) {
    const int netlink = wire_netlink_socket();
    const bool sent =
        send_request(call, program->file, program->arguments, program->environment, netlink);
    if (netlink >= 0) close(netlink);
    return sent;
}

/* Returns what wire_receive_first does; EBADMSG: the request couldn't be sent. */
static int ask_once(struct exec_call* call, const struct program* program, bool passing,
                    struct nlsh_reply* reply, const struct wire_body* body) {
    const bool sent =
        passing ? send_with_socket(call, program)
                : send_request(call, program->file, program->arguments, program->environment, -1);
    return sent ? wire_receive_first(call->socket, reply, body, false, config()->timeout_ms)
                : EBADMSG;
}

/* The line of `sh -c LINE`, whose files the server may ask us to open. ip and bridge have none. */
static const char* line_of(char* const* arguments) {
    const bool command = arguments[0] && arguments[1] && text_equal(arguments[1], "-c");
    return command ? arguments[2] : NULL;
}

enum exec_answer exec_ask(struct exec_call* call, const struct program* program,
                          const struct wire_late* late) {
    const struct wire_body body = {
        call->body, NLSH_OUTPUT_MAX, NLSH_TEXT_MAX, NULL, line_of(program->arguments), late};
    const bool passing = own_socket_is_needed();
    struct nlsh_reply reply;
    call->output = call->body;
    int error = ask_once(call, program, passing, &reply, &body);
    if (error == 0 && own_socket_is_wanted(&reply, passing)) {
        close(call->socket);
        if (!exec_connect(call)) return declined(call, call->reason);
        error = ask_once(call, program, true, &reply, &body);
    }
    if (error == EBADMSG) return declined(call, "can't send");
    call->elsewhere = error == ETIMEDOUT || error == ECONNRESET;
    if (error == ETIMEDOUT) return declined(call, "server doesn't answer");
    if (error == ECONNRESET) return declined(call, "server died before");
    if (error == 0 && reply.type == NLSH_STREAM) {
        /* SIGPIPE doesn't matter: nothing is written that would have to wait. */
        wire_give_streams(call->socket, true, 1, 2);
        error = wire_receive(call->socket, &reply, &body);
    }
    if (error != 0) return cut_off(call);
    call->output_size = reply.output_size;
    call->body[reply.output_size + reply.text_size] = 0;
    call->text = call->body + reply.output_size;
    call->elsewhere = (reply.flags & NLSH_NOT_THIS_CALLER) != 0;
    if (reply.type == NLSH_DECLINED) return declined(call, *call->text ? call->text : "declined");
    if (reply.type == NLSH_REPLACED) return EXEC_ENTER;
    return reply.type == NLSH_DONE ? done(call, &reply) : cut_off(call);
}
