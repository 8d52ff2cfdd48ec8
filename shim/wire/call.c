#include "shim/wire/call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

unsigned wire_processor(void) {
    const int cpu = sched_getcpu();
    return cpu < 0 ? 0 : (unsigned)cpu;
}

/* Writes PREFIX.CPU. 0: it is too long. */
static socklen_t server_address(struct sockaddr_un* address, const char* prefix, unsigned cpu) {
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + cpu % 10);
        cpu /= 10;
    } while (cpu);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    char* end = address->sun_path;
    const char* const room = end + sizeof address->sun_path - 1 - count;
    while (*prefix && end < room)
        *end++ = *prefix++; /* libc's code isn't mapped in a fork's child */
    if (end == room) return 0;
    *end++ = '.';
    while (count)
        *end++ = digits[--count];
    return (socklen_t)(end - (char*)address);
}

static bool connect_to(int socket, const char* prefix, unsigned cpu) {
    struct sockaddr_un address;
    const socklen_t size = server_address(&address, prefix, cpu);
    if (size == 0) errno = ENAMETOOLONG;
    return size != 0 && connect(socket, (const struct sockaddr*)&address, size) == 0;
}

/* Trust only a server of root or of the same user. */
static bool is_trusted(int socket) {
    struct ucred server;
    socklen_t size = sizeof server;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &server, &size) != 0) return false;
    if (server.uid == 0 || server.uid == geteuid()) return true;
    errno = EPERM;
    return false;
}

static bool connect_to_any(int socket, const char* prefix, unsigned cpu) {
    return connect_to(socket, prefix, cpu) ||
           (cpu > 0 && (errno == ENOENT || errno == EACCES) && connect_to(socket, prefix, 0));
}

int wire_connect(const char* prefix, unsigned cpu) {
    const int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) return made;
    if (connect_to_any(made, prefix, cpu) && is_trusted(made)) return made;
    const int error = errno;
    close(made);
    errno = error;
    return -1;
}

union rights {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(3 * sizeof(int))];
};

static void attach(struct msghdr* message, union rights* rights, const int* numbers, size_t count) {
    memset(rights, 0, sizeof *rights);
    message->msg_control = rights;
    message->msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr* header = CMSG_FIRSTHDR(message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), numbers, count * sizeof(int));
}

static bool send_message(int socket, const struct iovec* parts, size_t count,
                         const struct wire_descriptors* descriptors, int flags) {
    struct msghdr message = {.msg_iov = (struct iovec*)(uintptr_t)parts, .msg_iovlen = count};
    union rights rights;
    int numbers[3];
    size_t attached = 0;
    for (; descriptors->streams && attached < 2; ++attached)
        numbers[attached] = descriptors->streams[attached];
    if (descriptors->netlink >= 0) numbers[attached++] = descriptors->netlink;
    if (attached) attach(&message, &rights, numbers, attached);
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, flags | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

bool wire_send(int socket, const struct iovec* parts, size_t count,
               const struct wire_descriptors* descriptors) {
    return send_message(socket, parts, count, descriptors, MSG_DONTWAIT);
}

void wire_give_streams(int socket, bool sigpipe_ignored, int output, int error) {
    struct nlsh_streams header = {.magic = NLSH_MAGIC,
                                  .version = NLSH_VERSION,
                                  .flags = sigpipe_ignored ? NLSH_SIGPIPE_IGNORED : 0};
    const struct iovec part = {&header, sizeof header};
    const int streams[2] = {output, error};
    const struct wire_descriptors descriptors = {streams, -1};
    send_message(socket, &part, 1, &descriptors, 0);
}

bool wire_wait(int socket, int timeout_ms) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    /* If interrupted, the system call tells the remaining time; libc's function doesn't. */
    struct timespec left = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
    long ready;
    do {
        ready = syscall(SYS_ppoll, &wait, 1, timeout_ms < 0 ? NULL : &left, NULL, 0);
    } while (ready < 0 && errno == EINTR);
    return ready != 0;
}

static bool request_unread(int socket) {
    int unread = 0;
    return ioctl(socket, SIOCOUTQ, &unread) == 0 && unread > 0;
}

/* Call it after the timeout. True: the server won't run the request (wire.h, "Withdrawing"). */
static bool withdraw(int socket) {
    return request_unread(socket) && shutdown(socket, SHUT_WR) == 0 && request_unread(socket);
}

/* The descriptor that came with a message; -1: none. */
static int descriptor_of(struct msghdr* message) {
    const struct cmsghdr* const header = CMSG_FIRSTHDR(message);
    int descriptor = -1;
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

/* Returns what wire_receive does; EAGAIN, EINTR: no reply yet. */
static int receive_once(int socket, struct nlsh_reply* reply, const struct wire_body* body) {
    struct iovec parts[2] = {{reply, sizeof *reply},
                             {body->bytes, body->output_max + body->text_max}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    union rights rights;
    if (body->apart) {
        *body->apart = -1;
        message.msg_control = &rights;
        message.msg_controllen = sizeof rights;
    }
    const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == ECONNRESET)) return errno;
    if (got < 0) return EPIPE;
    if (body->apart) *body->apart = descriptor_of(&message);
    if ((size_t)got < sizeof *reply || reply->magic != NLSH_MAGIC) return EPIPE;
    if ((size_t)reply->output_size + reply->text_size > (size_t)got - sizeof *reply) return EPIPE;
    const bool fits = reply->output_size <= body->output_max && reply->text_size <= body->text_max;
    return fits ? 0 : EPIPE;
}

int wire_netlink_socket(void) {
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

/* Whether the line contains these bytes. Not strstr(), because libc's code isn't mapped in a forked
 * child. */
static bool names(const char* line, const char* bytes, size_t size) {
    for (; *line; ++line) {
        size_t same = 0;
        while (same < size && line[same] == bytes[same])
            ++same;
        if (same == size) return true;
    }
    return false;
}

/* Whether the path is below /proc/sys, without `..`. */
static bool is_setting(const char* path, size_t size) {
    static const char folder[] = "/proc/sys/";
    return size > sizeof folder - 1 && memcmp(path, folder, sizeof folder - 1) == 0 &&
           !names(path, "..", 2);
}

static int open_named(const char* line, const char* path, size_t size, int flags) {
    enum { ASKED = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND };
    char name[256];
    if (size >= sizeof name || (flags & ~ASKED) || !(flags & O_WRONLY)) return -EACCES;
    memcpy(name, path, size);
    name[size] = 0;
    if (!is_setting(name, size) || !names(line, name, size)) return -EACCES;
    const int file = open(name, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file < 0 ? -errno : file;
}

/* Answers the server's OPEN, whose path is in the body. */
static void open_for_server(int socket, const struct nlsh_reply* reply,
                            const struct wire_body* body) {
    const int file =
        open_named(body->line, body->bytes + reply->output_size, reply->text_size, reply->status);
    struct nlsh_opened header = {
        .magic = NLSH_MAGIC, .version = NLSH_VERSION, .error = file < 0 ? -file : 0};
    const struct iovec part = {&header, sizeof header};
    const struct wire_descriptors descriptors = {NULL, file};
    send_message(socket, &part, 1, &descriptors, 0);
    if (file >= 0) close(file);
}

static bool wait_for_reply(int socket, const struct wire_body* body, int timeout_ms) {
    enum { SOON_MS = 5 };
    if (body->late) {
        if (wire_wait(socket, SOON_MS)) return true;
        body->late->act(body->late->of, socket);
    }
    return wire_wait(socket, timeout_ms);
}

int wire_receive(int socket, struct nlsh_reply* reply, const struct wire_body* body) {
    for (;;) {
        const int error = receive_once(socket, reply, body);
        if (error == EAGAIN) wait_for_reply(socket, body, -1);
        if (error == 0 && reply->type == NLSH_OPEN && body->line) {
            open_for_server(socket, reply, body);
        } else if (error != EAGAIN && error != EINTR) {
            return error;
        }
    }
}

int wire_receive_first(int socket, struct nlsh_reply* reply, const struct wire_body* body,
                       bool blocks, int timeout_ms) {
    int error = EINTR;
    if (blocks) error = receive_once(socket, reply, body);
    if (error == EINTR || error == EAGAIN) {
        const bool in_time = error == EINTR && wait_for_reply(socket, body, timeout_ms);
        if (!in_time && withdraw(socket)) return ETIMEDOUT;
        error = wire_receive(socket, reply, body);
    }
    /* If the server answered without reading the request, the socket reports ECONNRESET before the
     * answer. */
    if (error == ECONNRESET && receive_once(socket, reply, body) == 0) error = 0;
    if (error != 0 || reply->type != NLSH_OPEN || !body->line) return error;
    open_for_server(socket, reply, body);
    return wire_receive(socket, reply, body);
}
