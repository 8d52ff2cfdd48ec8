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

bool call_connect(struct call* call) {
    call->status = 0;
    call->output_size = 0;
    call->text[0] = 0;
    call->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    call->reason = "no server";
    if (call->socket < 0) return false;
    const int cpu = sched_getcpu();
    if (connect_to(call->socket, cpu < 0 ? 0 : (unsigned)cpu)) return true;
    /* A processor that the server hadn't at its start. */
    if (cpu > 0 && errno == ENOENT && connect_to(call->socket, 0)) return true;
    call_close(call);
    return false;
}

void call_close(struct call* call) {
    if (call->socket >= 0) close(call->socket);
    call->socket = -1;
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

static bool send_request(const struct call* call, enum nlsh_kind kind, const char* line) {
    const size_t length = strlen(line);
    struct iovec parts[2 + NLSH_VARIABLE_COUNT];
    uint32_t environment = 0;
    const int variables = gather_environment(parts + 2, &environment);
    if (length > NLSH_REQUEST_MAX || environment > NLSH_REQUEST_MAX) return false;
    struct nlsh_request header = {.magic = NLSH_MAGIC,
                                  .version = NLSH_VERSION,
                                  .kind = (uint8_t)kind,
                                  .flags = config()->trace[0] ? NLSH_WANT_TEXT : 0,
                                  .command_size = (uint32_t)length,
                                  .environment_size = environment};
    if (sizeof header + length + environment > NLSH_REQUEST_MAX) return false;
    parts[0] = (struct iovec){&header, sizeof header};
    parts[1] = (struct iovec){(void*)(uintptr_t)line, length};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)variables + 2};
    ssize_t sent;
    do {
        sent = sendmsg(call->socket, &message, MSG_NOSIGNAL);
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
 * it. */
static int receive_reply(struct call* call, struct nlsh_reply* reply) {
    struct iovec parts[2] = {{reply, sizeof *reply}, {call->text, NLSH_TEXT_MAX}};
    if (call->output) parts[1] = (struct iovec){call->output, NLSH_OUTPUT_MAX + NLSH_TEXT_MAX};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    for (;;) {
        const ssize_t got = recvmsg(call->socket, &message, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) {
            wait_readable(call->socket, -1);
            continue;
        }
        if (got < 0) return errno == ECONNRESET ? ECONNRESET : EPIPE;
        if ((size_t)got < sizeof *reply || reply->magic != NLSH_MAGIC) return EPIPE;
        const size_t body = (size_t)got - sizeof *reply;
        if ((size_t)reply->output_size + reply->text_size > body) return EPIPE;
        if (reply->output_size > (call->output ? NLSH_OUTPUT_MAX : 0)) return EPIPE;
        if (reply->text_size > NLSH_TEXT_MAX) return EPIPE;
        if (call->output) memcpy(call->text, call->output + reply->output_size, reply->text_size);
        call->text[reply->text_size] = 0;
        return 0;
    }
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

enum answer call_ask(struct call* call, enum nlsh_kind kind, const char* line) {
    if (!send_request(call, kind, line)) return real(call, "can't send");
    if (!wait_readable(call->socket, config()->timeout_ms) && withdraw(call->socket)) {
        return real(call, "server doesn't answer");
    }
    struct nlsh_reply reply;
    const int error = receive_reply(call, &reply);
    if (error == ECONNRESET) return real(call, "server died before");
    if (error != 0) return done(call, STATUS_CUT_OFF, 0);
    switch (reply.type) {
        case NLSH_DECLINED:
            return real(call, call->text[0] ? call->text : "declined");
        case NLSH_STREAM:
            return ANSWER_STREAM;
        case NLSH_DONE:
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
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const int descriptors[2] = {output < 0 ? null : output, error < 0 ? null : error};
    memcpy(CMSG_DATA(rights), descriptors, sizeof descriptors);
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
