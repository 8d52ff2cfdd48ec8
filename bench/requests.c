/* Replays what a command line asks of the kernel, netlink requests and writes to /proc/sys: what
 * the kernel alone costs. */
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/measure.h"

enum { BUFFER_SIZE = 256 * 1024 };

/* A netlink message; or, with a path, `size` bytes that are written to that file. */
struct request {
    union {
        struct nlmsghdr* message;
        uint8_t* bytes;
    };
    size_t size;
    char* path;
};

struct requests {
    int socket;
    size_t count;
    struct request* all;
    char* answer;
};

static int open_socket(void) {
    const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) fail("netlink socket");
    const int on = 1, receive_buffer = 1 << 20;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    setsockopt(descriptor, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    setsockopt(descriptor, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
    return descriptor;
}

static struct request from_hexadecimal(const char* digits) {
    const size_t size = strspn(digits, "0123456789abcdef") / 2;
    uint8_t* bytes = calloc(1, size + 1);
    for (size_t i = 0; bytes && i < size; ++i) {
        unsigned byte;
        sscanf(digits + 2 * i, "%2x", &byte);
        bytes[i] = (uint8_t)byte;
    }
    if (!bytes || size == 0) fail("recorded request");
    return (struct request){.bytes = bytes, .size = size};
}

static struct request from_line(char* line) {
    if (line[0] != '/') {
        const struct request request = from_hexadecimal(line);
        if (request.size < sizeof *request.message || request.message->nlmsg_len != request.size)
            fail("recorded message");
        return request;
    }
    char* end = strchr(line, ' ');
    if (!end) fail("recorded write");
    struct request request = from_hexadecimal(end + 1);
    request.path = strndup(line, (size_t)(end - line));
    return request;
}

struct requests* requests_read(const char* path) {
    struct requests* requests = calloc(1, sizeof *requests);
    FILE* file = fopen(path, "r");
    if (!file || !requests) fail(path);
    requests->socket = open_socket();
    requests->answer = malloc(BUFFER_SIZE);
    char* line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) > 1) {
        struct request* grown =
            realloc(requests->all, (requests->count + 1) * sizeof *requests->all);
        if (!grown) fail("memory");
        requests->all = grown;
        requests->all[requests->count++] = from_line(line);
    }
    free(line);
    fclose(file);
    return requests;
}

/* As a shell's redirection does. */
static void write_file(const struct request* request) {
    const int file = open(request->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || write(file, request->bytes, request->size) != (ssize_t)request->size)
        fail(request->path);
    close(file);
}

/* True when the request's last answer is among the received ones. */
static bool ends(const char* answer, size_t size, const struct nlmsghdr* request) {
    const bool dump = (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
    for (size_t at = 0; size - at >= sizeof(struct nlmsghdr);) {
        const struct nlmsghdr* message = (const struct nlmsghdr*)(const void*)(answer + at);
        if (message->nlmsg_len < sizeof *message || message->nlmsg_len > size - at) break;
        if (message->nlmsg_type == NLMSG_DONE) return true;
        if (message->nlmsg_type == NLMSG_ERROR) {
            const struct nlmsgerr* error = NLMSG_DATA(message);
            if (error->error) fail(strerror(-error->error));
            return true;
        }
        if (!dump && !(request->nlmsg_flags & NLM_F_ACK)) return true;
        at += NLMSG_ALIGN(message->nlmsg_len);
        if (at > size) break;
    }
    return false;
}

static void send_message(const struct requests* requests, const struct nlmsghdr* message) {
    if (send(requests->socket, message, message->nlmsg_len, 0) < 0) fail("send");
    ssize_t got;
    do {
        got = recv(requests->socket, requests->answer, BUFFER_SIZE, 0);
        if (got < 0) fail("recv");
    } while (!ends(requests->answer, (size_t)got, message));
}

void requests_send(struct requests* requests) {
    for (size_t i = 0; i < requests->count; ++i) {
        const struct request* request = &requests->all[i];
        request->path ? write_file(request) : send_message(requests, request->message);
    }
}

enum { GROUP_MAX = 256, VERDICT_SIZE = 4096 };

/* Each verdict is a datagram of its own. */
static void receive_verdicts(int socket, size_t count) {
    static char bytes[GROUP_MAX][VERDICT_SIZE];
    static struct iovec parts[GROUP_MAX];
    static struct mmsghdr messages[GROUP_MAX];
    for (size_t i = 0; i < count; ++i) {
        parts[i] = (struct iovec){bytes[i], VERDICT_SIZE};
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    }
    for (size_t received = 0; received < count;) {
        const int got = recvmmsg(socket, messages, (unsigned)(count - received), 0, NULL);
        if (got <= 0) fail("recvmmsg");
        for (int i = 0; i < got; ++i) {
            const struct nlmsgerr* error =
                NLMSG_DATA((const struct nlmsghdr*)(const void*)bytes[i]);
            if (error->error) fail(strerror(-error->error));
        }
        received += (size_t)got;
    }
}

void requests_send_groups(struct requests* requests, size_t group) {
    if (group < 1 || group > GROUP_MAX) fail("group's size");
    for (size_t at = 0; at < requests->count;) {
        if (requests->all[at].path) {
            write_file(&requests->all[at++]);
            continue;
        }
        struct iovec parts[GROUP_MAX];
        size_t count = 0;
        for (; count < group && at < requests->count && !requests->all[at].path; ++count, ++at)
            parts[count] = (struct iovec){requests->all[at].message, requests->all[at].size};
        const struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
        if (sendmsg(requests->socket, &message, 0) < 0) fail("sendmsg");
        receive_verdicts(requests->socket, count);
    }
}
