/* What a popen can't do without, beside what it takes. bench_limit LINE REQUESTS GROUP waits for a
 * byte on its standard input, then makes GROUP calls by each way and prints the microseconds of
 * each as a line of JSON, {"way": [1.5, …], …}; until its input ends. So several of them, each with
 * another preload, take turns (bench/suite/turns.py).
 *
 * The limit in process: a pipe and a stream as libc's popen makes them, LINE's bare requests on a
 * socket that is kept, and LINE's output through the pipe. The limit by a server: the same, but
 * another process on the same processor sends the requests, and is asked over a unix socket. With
 * checks: the system calls beside, by which nlsh makes sure of its caller. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/checks.h"
#include "bench/measure.h"

enum { TEXT_MAX = 4096 }; /* a page: what a pipe always takes */

static const char* line;
static struct requests* requests;
static char text[TEXT_MAX]; /* LINE's output */
static size_t text_size;
static int asked = -1; /* the other process */

static bool write_all(int descriptor, const char* bytes, size_t size) {
    return size == 0 || write(descriptor, bytes, size) == (ssize_t)size;
}

static bool ask_nobody(int output) {
    requests_send(requests);
    return write_all(output, text, text_size);
}

/* The first byte of a request: whether the other process checks, too. */
static bool ask(int output, char checks) {
    char answer[TEXT_MAX + 1];
    const struct iovec parts[] = {{&checks, 1}, {(void*)(uintptr_t)line, strlen(line)}};
    const struct msghdr request = {.msg_iov = (struct iovec*)(uintptr_t)parts, .msg_iovlen = 2};
    if (sendmsg(asked, &request, MSG_NOSIGNAL) < 0) return false;
    const ssize_t got = recv(asked, answer, sizeof answer, 0);
    return got > 0 && write_all(output, answer + 1, (size_t)got - 1);
}

static bool ask_another(int output) {
    return ask(output, 0);
}

static bool check_and_ask_another(int output) {
    checks_of_caller();
    return ask(output, 1);
}

static bool check_and_ask_nobody(int output) {
    checks_of_caller();
    checks_of_engine();
    return ask_nobody(output);
}

static bool do_nothing(int output) {
    (void)output;
    return true;
}

/* As libc's popen, fgets until the end, pclose: but nothing is started. */
static bool stream_of(bool (*command)(int output)) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    FILE* stream = fdopen(ends[0], "r");
    if (!stream) return false;
    const bool done = command(ends[1]);
    close(ends[1]);
    fcntl(ends[0], F_SETFD, 0);
    return read_all(stream) && fclose(stream) == 0 && done;
}

static bool pipe_alone(const char* unused) {
    (void)unused;
    return stream_of(do_nothing);
}

static bool limit_in_process(const char* unused) {
    (void)unused;
    return stream_of(ask_nobody);
}

static bool limit_by_server(const char* unused) {
    (void)unused;
    return stream_of(ask_another);
}

static bool checked_in_process(const char* unused) {
    (void)unused;
    return stream_of(check_and_ask_nobody);
}

static bool checked_by_server(const char* unused) {
    (void)unused;
    return stream_of(check_and_ask_another);
}

/* The other process: answers with a byte and the text. */
static _Noreturn void serve(int socket) {
    char request[TEXT_MAX], answer[TEXT_MAX + 1] = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    memcpy(answer + 1, text, text_size);
    while (recv(socket, request, sizeof request, 0) > 0) {
        if (request[0]) checks_of_server();
        requests_send(requests);
        if (send(socket, answer, text_size + 1, MSG_NOSIGNAL) < 0) break;
    }
    _exit(0);
}

static void start_other(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
    const pid_t other = fork();
    if (other < 0) fail("fork");
    if (other == 0) {
        close(ends[0]);
        serve(ends[1]);
    }
    close(ends[1]);
    asked = ends[0];
}

static void read_text(void) {
    FILE* stream = popen(line, "r");
    if (!stream) fail(line);
    text_size = fread(text, 1, sizeof text, stream);
    if (text_size == sizeof text || pclose(stream) != 0) fail(line);
}

static const struct way {
    const char* name;
    bool (*call)(const char*);
} ways[] = {{"pipe", pipe_alone},
            {"limit in process", limit_in_process},
            {"limit by a server", limit_by_server},
            {"with checks, in process", checked_in_process},
            {"with checks, by a server", checked_by_server},
            {"popen", by_popen}};

enum { WAYS = sizeof ways / sizeof *ways, WARM = 3 };

static void measure(const struct way* way, int count, bool first) {
    for (int i = 0; i < WARM; ++i)
        if (!way->call(line)) fail(way->name);
    printf("%s\"%s\": [", first ? "{" : "], ", way->name);
    for (int i = 0; i < count; ++i) {
        const double start = now_us();
        if (!way->call(line)) fail(way->name);
        const double took = now_us() - start;
        printf("%s%.2f", i ? ", " : "", took);
    }
}

int main(int argc, char** argv) {
    if (argc != 4) fail("usage: bench_limit LINE REQUESTS GROUP");
    unsetenv("LD_PRELOAD"); /* a fallback is as it is without nlsh */
    line = argv[1];
    requests = requests_read(argv[2]);
    const int group = atoi(argv[3]);
    read_text();
    start_other();
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    while (getchar() != EOF) {
        for (int i = 0; i < WAYS; ++i)
            measure(&ways[i], group, i == 0);
        printf("]}\n");
        fflush(stdout);
    }
    return 0;
}
