#include "preload/client.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "preload/caller.h"
#include "preload/config.h"
#include "preload/kept.h"

extern char** environ;

/* ADDRESS.CPU */
static socklen_t server_address(struct sockaddr_un* address, unsigned cpu) {
    const size_t prefix = strlen(config()->socket);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, config()->socket, prefix);
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + cpu % 10);
        cpu /= 10;
    } while (cpu);
    char* end = address->sun_path + prefix;
    *end++ = '.';
    while (count)
        *end++ = digits[--count];
    return (socklen_t)(end - (char*)address);
}

/* Never blocks: EAGAIN when the backlog is full. */
static bool connect_to(int socket, unsigned cpu) {
    struct sockaddr_un address;
    const socklen_t size = server_address(&address, cpu);
    return connect(socket, (const struct sockaddr*)&address, size) == 0;
}

static unsigned processor(void) {
    const int cpu = sched_getcpu();
    return cpu < 0 ? 0 : (unsigned)cpu;
}

static void begin(struct call* call) {
    call->status = 0;
    call->output_size = 0;
    call->text[0] = 0;
    call->reason = "no server";
    call->reused = false;
    call->slot = KEPT_NONE;
    call->cpu = processor();
}

bool call_connect_anew(struct call* call) {
    begin(call);
    call->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (call->socket < 0) return false;
    if (connect_to(call->socket, call->cpu)) return true;
    /* A processor that the server hadn't at its start. */
    if (call->cpu > 0 && errno == ENOENT && connect_to(call->socket, 0)) return true;
    call_close(call);
    return false;
}

bool call_connect(struct call* call) {
    begin(call);
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

/* For the next call, if the server keeps its end, too. */
static void keep_or_close(struct call* call, const struct nlsh_reply* reply) {
    if (call->slot != KEPT_NONE && (reply->flags & NLSH_KEPT) &&
        kept_put(call->slot, call->socket, call->cpu, !call->reused)) {
        call->slot = KEPT_NONE;
        call->socket = -1;
        return;
    }
    call_close(call);
}

static const struct variable {
    const char* prefix;
    size_t length;
} passed[] = {
#define NAME(name) {name "=", sizeof name},
    NLSH_VARIABLES(NAME)
#undef NAME
};

/* Most of an environment's names differ from ours in the first two letters: no call for those. */
static bool starts_with(const char* entry, const struct variable* name) {
    return entry[0] == name->prefix[0] && entry[1] == name->prefix[1] &&
           strncmp(entry, name->prefix, name->length) == 0;
}

/* Appends the variables that are set, each with its NUL, straight from the environment. */
static int gather_environment(struct iovec* parts, uint32_t* size) {
    int count = 0;
    for (char** entry = environ; entry && *entry; ++entry) {
        for (int i = 0; i < NLSH_VARIABLE_COUNT && count < NLSH_VARIABLE_COUNT; ++i) {
            if (!starts_with(*entry, &passed[i])) continue;
            parts[count].iov_base = *entry;
            parts[count].iov_len = strlen(*entry) + 1;
            *size += (uint32_t)parts[count++].iov_len;
            break;
        }
    }
    return count;
}

static uint8_t request_flags(const struct call* call) {
    const int streams =
        call->prints ? NLSH_STREAMS | (sigpipe_ignored() ? NLSH_STREAMS_SIGPIPE_IGNORED : 0) : 0;
    return (uint8_t)((config()->trace[0] ? NLSH_WANT_TEXT : 0) |
                     (call->slot != KEPT_NONE ? NLSH_KEEP : 0) | streams);
}

union rights {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
};

/* Copies of two descriptors go with the message. */
static void attach(struct msghdr* message, union rights* rights, int output, int error) {
    memset(rights, 0, sizeof *rights);
    message->msg_control = rights;
    message->msg_controllen = sizeof *rights;
    struct cmsghdr* header = CMSG_FIRSTHDR(message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const int descriptors[2] = {output, error};
    memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
}

static bool send_request(const struct call* call, enum nlsh_kind kind, const char* line) {
    const size_t length = strlen(line);
    struct iovec parts[2 + NLSH_VARIABLE_COUNT];
    uint32_t environment = 0;
    const int variables = gather_environment(parts + 2, &environment);
    if (length > NLSH_REQUEST_MAX || environment > NLSH_REQUEST_MAX) return false;
    struct nlsh_request header = {.magic = NLSH_MAGIC,
                                  .version = NLSH_VERSION,
                                  .kind = (uint8_t)kind,
                                  .flags = request_flags(call),
                                  .command_size = (uint32_t)length,
                                  .environment_size = environment};
    if (sizeof header + length + environment > NLSH_REQUEST_MAX) return false;
    parts[0] = (struct iovec){&header, sizeof header};
    parts[1] = (struct iovec){(void*)(uintptr_t)line, length};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)variables + 2};
    union rights rights;
    if (call->prints) attach(&message, &rights, 1, 2);
    ssize_t sent;
    do {
        sent = sendmsg(call->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the socket is readable. False after timeout_ms (-1: none), also under signals. */
static bool wait_readable(int socket, int timeout_ms) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    const int64_t deadline = now_ms() + timeout_ms;
    int left = timeout_ms;
    for (;;) {
        const int ready = poll(&wait, 1, left);
        if (ready >= 0 || errno != EINTR) return ready != 0;
        if (timeout_ms < 0) continue;
        const int64_t remaining = deadline - now_ms();
        left = remaining > 0 ? (int)remaining : 0;
    }
}

static bool request_unread(int socket) {
    int unread = 0;
    return ioctl(socket, SIOCOUTQ, &unread) == 0 && unread > 0;
}

/* After the timeout. True: the server will not run the request (wire.h, "Withdrawing"). */
static bool withdraw(int socket) {
    return request_unread(socket) && shutdown(socket, SHUT_WR) == 0 && request_unread(socket);
}

/* 0: a reply came. ECONNRESET: the server died with our last message unread. EPIPE: after reading
 * it. EAGAIN, EINTR: none yet. */
static int receive_once(struct call* call, struct nlsh_reply* reply) {
    struct iovec parts[2] = {{reply, sizeof *reply}, {call->text, NLSH_TEXT_MAX}};
    if (call->output) parts[1] = (struct iovec){call->output, NLSH_OUTPUT_MAX + NLSH_TEXT_MAX};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    const ssize_t got = recvmsg(call->socket, &message, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == ECONNRESET)) return errno;
    if (got < 0) return EPIPE;
    if ((size_t)got < sizeof *reply || reply->magic != NLSH_MAGIC) return EPIPE;
    const size_t body = (size_t)got - sizeof *reply;
    if ((size_t)reply->output_size + reply->text_size > body) return EPIPE;
    if (reply->output_size > (call->output ? NLSH_OUTPUT_MAX : 0)) return EPIPE;
    if (reply->text_size > NLSH_TEXT_MAX) return EPIPE;
    if (call->output) memcpy(call->text, call->output + reply->output_size, reply->text_size);
    call->text[reply->text_size] = 0;
    return 0;
}

/* Waits, however long. */
static int receive_reply(struct call* call, struct nlsh_reply* reply) {
    for (;;) {
        const int error = receive_once(call, reply);
        if (error == EAGAIN) wait_readable(call->socket, -1);
        if (error != EAGAIN && error != EINTR) return error;
    }
}

/* The first reply, or ETIMEDOUT: the server will not run the request. */
static int receive_first(struct call* call, struct nlsh_reply* reply) {
    int error = EINTR;
    if (call->reused) error = receive_once(call, reply); /* waits by itself (kept.h) */
    if (error != EINTR && error != EAGAIN) return error;
    const bool in_time = error == EINTR && wait_readable(call->socket, config()->timeout_ms);
    if (!in_time && withdraw(call->socket)) return ETIMEDOUT;
    return receive_reply(call, reply);
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

/* As receive_first; EBADMSG: it couldn't be sent. */
static int ask_once(struct call* call, enum nlsh_kind kind, const char* line,
                    struct nlsh_reply* reply) {
    return send_request(call, kind, line) ? receive_first(call, reply) : EBADMSG;
}

enum answer call_ask(struct call* call, enum nlsh_kind kind, const char* line) {
    struct nlsh_reply reply;
    int error = ask_once(call, kind, line, &reply);
    if (call->reused && (error == EBADMSG || error == ECONNRESET)) {
        /* The server had closed what was kept: nothing has run. */
        call_close(call);
        if (!call_connect_anew(call)) return ANSWER_REAL;
        error = ask_once(call, kind, line, &reply);
    }
    if (error == EBADMSG) return real(call, "can't send");
    if (error == ETIMEDOUT) return real(call, "server doesn't answer");
    if (error == ECONNRESET) return real(call, "server died before");
    if (error != 0) return done(call, STATUS_CUT_OFF, 0);
    switch (reply.type) {
        case NLSH_DECLINED:
            return real(call, call->text[0] ? call->text : "declined");
        case NLSH_STREAM:
            return ANSWER_STREAM;
        case NLSH_DONE:
            keep_or_close(call, &reply);
            return done(call, reply.status, reply.output_size);
        default:
            return done(call, STATUS_CUT_OFF, 0);
    }
}

void call_give_streams(struct call* call, int output, int error) {
    const int null = output < 0 || error < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    struct nlsh_streams header = {.magic = NLSH_MAGIC,
                                  .version = NLSH_VERSION,
                                  .flags = sigpipe_ignored() ? NLSH_SIGPIPE_IGNORED : 0};
    struct iovec part = {&header, sizeof header};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union rights rights;
    attach(&message, &rights, output < 0 ? null : output, error < 0 ? null : error);
    while (sendmsg(call->socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    if (null >= 0) close(null);
}

void call_finish(struct call* call) {
    struct nlsh_reply reply;
    const bool answered = receive_reply(call, &reply) == 0 && reply.type == NLSH_DONE;
    done(call, answered ? reply.status : STATUS_CUT_OFF, 0);
}

bool call_replace(struct call* call, const char* line) {
    struct nlsh_reply reply;
    struct ucred server;
    socklen_t size = sizeof server;
    call->output = NULL;
    call->reason = "server doesn't answer";
    bool replaced = false;
    if (send_request(call, NLSH_WRITE, line) && wait_readable(call->socket, config()->timeout_ms) &&
        receive_reply(call, &reply) == 0) {
        const bool roots = getsockopt(call->socket, SOL_SOCKET, SO_PEERCRED, &server, &size) == 0 &&
                           server.uid == 0;
        replaced = reply.type == NLSH_REPLACED && roots;
        call->reason = replaced ? "batch by nlsh" : call->text[0] ? call->text : "declined";
    }
    call_close(call);
    return replaced;
}

uint32_t call_cookie(int socket) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(socket, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? (uint32_t)cookie : 0;
}
