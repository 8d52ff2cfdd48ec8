/* libnlsh from C, in a network namespace of its own: library_test inproc|server|absent. Says what
 * is wrong; ends with 0 and "all right" when nothing is. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlsh.h>

enum { THREADS = 16, ROUNDS = 100 };

static int failures = 0;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check(int good, const char* what, const struct nlsh_result* result) {
    if (good) return;
    pthread_mutex_lock(&lock);
    ++failures;
    printf("not so: %s (status %d, output '%s', error '%s', %s)\n", what,
           result ? result->status : -1, result ? result->output : "", result ? result->error : "",
           result && result->fallback ? result->fallback : "native");
    pthread_mutex_unlock(&lock);
}

#define CHECK(condition, result)           \
    do {                                   \
        const int good = (condition) != 0; \
        check(good, #condition, result);   \
    } while (0)

static int same(const char* text, const char* expected) {
    return text && strcmp(text, expected) == 0;
}

static void native_lines(struct nlsh_handle* nlsh) {
    struct nlsh_result* r;
    CHECK(nlsh_run(nlsh, &r, "ip link set lo up && ip -br link show lo | awk '{print $1}'") == 0,
          r);
    CHECK(same(r->output, "lo\n") && r->output_size == 3 && !r->fallback, r);
    CHECK(r->error_size == 0 && same(r->error, "") && r->failure_count == 0, r);
    nlsh_free(r);
    CHECK(nlsh_run(nlsh, NULL, "ip link add br0 type bridge") == 0, NULL);
    CHECK(nlsh_run(nlsh, NULL, "! ip link show nosuch 2>/dev/null") == 0, NULL);
}

static void failed_chain(struct nlsh_handle* nlsh) {
    struct nlsh_result* r;
    const char* chain = "ip link set br0 up && ip link add br0 type bridge && ip link del br0";
    CHECK(nlsh_run(nlsh, &r, chain) == 2, r);
    CHECK(same(r->error, "RTNETLINK answers: File exists\n") && r->output_size == 0, r);
    CHECK(r->failure_count == 1 && r->failures[0].position == 2, r);
    if (r->failure_count != 1) return;
    const struct nlsh_failure* f = &r->failures[0];
    CHECK(same(f->command, "ip link add br0 type bridge") && f->status == 2 && f->error == EEXIST,
          r);
    CHECK(same(f->message, "RTNETLINK answers: File exists") && same(f->extack, ""), r);
    nlsh_free(r);
    CHECK(nlsh_run(nlsh, &r,
                   "ip link set lo mtu 1 || ip addr add 300::1/64 dev br0 || ip route add "
                   "10.9.0.0/16 via 10.8.0.1") == 0,
          r);
    nlsh_free(r);
    CHECK(nlsh_run(nlsh, &r, "ip route add 10.9.0.0/16 via 10.8.0.1") == 2 && r->failure_count == 1,
          r);
    CHECK(same(r->failures[0].extack, "Nexthop has invalid gateway"), r);
    nlsh_free(r);
}

static void fallback_lines(struct nlsh_handle* nlsh) {
    struct nlsh_result* r;
    CHECK(nlsh_run(nlsh, &r, "f() { echo $1; }; f 1; f 2; echo why >&2; exit 7") == 7, r);
    CHECK(same(r->output, "1\n2\n") && same(r->error, "why\n") && r->fallback != NULL, r);
    nlsh_free(r);
    CHECK(nlsh_run(nlsh, &r,
                   "head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2") == 0,
          r);
    CHECK(r->output_size == 300000 && r->error_size == 300000 && r->output[299999] == 'x', r);
    nlsh_free(r);
    CHECK(nlsh_run(nlsh, &r, "kill -9 $$") == 128 + 9, r);
    nlsh_free(r);
}

static void values(struct nlsh_handle* nlsh) {
    struct nlsh_result* r;
    const char* hostile = "x; echo 'injected'";
    CHECK(nlsh_runf(nlsh, &r, "ip link set dev %s mtu %d && echo %u %lu%%", "br0", 1400, 7U, 8UL) ==
              0,
          r);
    CHECK(same(r->output, "7 8%\n") && !r->fallback, r);
    nlsh_free(r);
    CHECK(nlsh_runf(nlsh, &r, "echo %s", hostile) == 0 && same(r->output, "x; echo 'injected'\n"),
          r);
    nlsh_free(r);
    CHECK(nlsh_runf(nlsh, &r, "ip link show %s%c", "br0", 'x') == -1 && errno == EINVAL && !r, r);
    CHECK(nlsh_run(nlsh, &r, NULL) == -1 && errno == EINVAL && !r, r);
    CHECK(nlsh_run(NULL, &r, "ip link") == -1 && errno == EINVAL && !r, r);
}

static void forked(struct nlsh_handle* nlsh) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        struct nlsh_result* r;
        const int result = nlsh_run(nlsh, &r, "ip -br link show lo >/dev/null");
        _exit(result == 0 && r->fallback ? 0 : 1);
    }
    waitpid(child, &status, 0);
    CHECK(status == 0, NULL);
}

/* No server: the same by /bin/sh. */
static void without_server(struct nlsh_handle* nlsh) {
    struct nlsh_result* r;
    CHECK(nlsh_run(nlsh, &r, "ip -br link show lo | awk '{print $1}'") == 0, r);
    CHECK(same(r->output, "lo\n") && same(r->fallback, "no server"), r);
    nlsh_free(r);
    CHECK(nlsh_run(nlsh, &r, "ip link show nosuch") == 1, r);
    CHECK(same(r->error, "Device \"nosuch\" does not exist.\n") && r->failure_count == 0, r);
    nlsh_free(r);
}

struct worker {
    struct nlsh_handle* nlsh;
    int number;
};

/* Each thread has its own bridge, and must get only the answers to its own lines. */
static void* work(void* argument) {
    const struct worker* me = argument;
    const int n = me->number;
    struct nlsh_result* r;
    CHECK(nlsh_runf(me->nlsh, NULL, "ip link add b%d type bridge", n) == 0, NULL);
    for (int i = 0; i < ROUNDS; ++i) {
        char expected[16];
        snprintf(expected, sizeof expected, "%d\n", 1300 + i);
        CHECK(nlsh_runf(me->nlsh, NULL, "ip link set b%d mtu %d", n, 1300 + i) == 0, NULL);
        CHECK(nlsh_runf(me->nlsh, &r,
                        "ip -o link show b%d | sed -n 's/.* mtu \\([0-9]*\\) .*/\\1/p'", n) == 0,
              r);
        CHECK(same(r->output, expected) && !r->fallback, r);
        nlsh_free(r);
        CHECK(
            nlsh_runf(me->nlsh, &r, "ip link set b%d up && ip link add b%d type bridge", n, n) == 2,
            r);
        CHECK(r->failure_count == 1 && r->failures[0].position == 2, r);
        nlsh_free(r);
    }
    CHECK(nlsh_runf(me->nlsh, &r, "f() { echo %d; }; f", n) == 0 && r->fallback, r);
    nlsh_free(r);
    return NULL;
}

static void threads(struct nlsh_handle* nlsh) {
    pthread_t ids[THREADS];
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        workers[i] = (struct worker){nlsh, i + 1};
        pthread_create(&ids[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; ++i)
        pthread_join(ids[i], NULL);
}

static void all(struct nlsh_handle* nlsh) {
    native_lines(nlsh);
    failed_chain(nlsh);
    fallback_lines(nlsh);
    values(nlsh);
    forked(nlsh);
    threads(nlsh);
}

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    struct nlsh_handle* nlsh =
        nlsh_open(same(mode, "inproc") ? NLSH_IN_PROCESS : NLSH_BY_SERVER, NULL);
    if (!nlsh) return 1;
    (same(mode, "absent") ? without_server : all)(nlsh);
    nlsh_close(nlsh);
    CHECK(nlsh_open((enum nlsh_way)7, NULL) == NULL && errno == EINVAL, NULL);
    if (failures == 0) puts("all right");
    return failures != 0;
}
