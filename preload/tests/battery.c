/* Behaviours of popen, pclose and system as a program sees them; battery NAME prints a transcript.
 * It must be the same under the preload, with a server that knows `ip test …`, and without it, with
 * a script named ip. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int transcript;

static void show(const char* what, long value) {
    dprintf(transcript, "%s %ld\n", what, value);
}

static void show_status(const char* what, int status) {
    dprintf(transcript, "%s %d %s\n", what, status, status == -1 ? strerror(errno) : "-");
}

static long drain(int descriptor) {
    static char buffer[65536];
    long sum = 0;
    ssize_t got;
    while ((got = read(descriptor, buffer, sizeof buffer)) > 0)
        sum += got;
    return sum;
}

static void both(void) {
    show_status("system", system("ip test status 3"));
    FILE* file = popen("ip test out 250", "r");
    show("fileno", fileno(file));
    show("bytes", drain(fileno(file)));
    show_status("pclose", pclose(file));
}

static void modes(void) {
    static const char* const all[] = {"r",  "re", "er", "rr", "ree", "w",
                                      "we", "rw", "r+", "rb", "x",   ""};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        errno = 0;
        FILE* file = popen("ip test status 3", all[i]);
        dprintf(transcript, "%s: %s, ", all[i], file ? "opened" : strerror(errno));
        if (file) show("cloexec", fcntl(fileno(file), F_GETFD));
        show_status("", file ? pclose(file) : 0);
    }
}

static void descriptor(void) {
    FILE* file = popen("ip test out 150", "r");
    struct pollfd wait = {.fd = fileno(file), .events = POLLIN};
    poll(&wait, 1, 10000);
    show("readable", wait.revents & POLLIN);
    show("bytes", drain(wait.fd));
    poll(&wait, 1, 10000);
    show("at the end", wait.revents);
    struct stat status;
    fstat(wait.fd, &status);
    show("fifo", S_ISFIFO(status.st_mode));
    show("flags", fcntl(wait.fd, F_GETFL));
    show_status("pclose", pclose(file));
}

static void big(const char* command, long limit, useconds_t pause) {
    static char buffer[65536];
    FILE* file = popen(command, "r");
    long sum = 0;
    size_t got;
    while (sum < limit && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
        sum += (long)got;
        usleep(pause);
    }
    show("bytes", sum);
    show_status("pclose", pclose(file));
}

static void mebibyte(void) {
    big("ip test out 1048576", 1 << 30, 0);
    big("ip test out 1048576", 1 << 30, 5000);
    big("ip test out 1048576", 100000, 0);
}

static void mebibytes(void) {
    big("ip test out 104857600", 1 << 30, 0);
    big("ip test out 104857600", 10000000, 0);
}

static void* both_in_thread(void* unused) {
    (void)unused;
    both();
    return NULL;
}

static void small_stack(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    pthread_t thread;
    pthread_create(&thread, &attributes, both_in_thread, NULL);
    pthread_join(thread, NULL);
}

static char* volatile stack_top;

static void* system_in_thread(void* unused) {
    (void)unused;
    char here;
    stack_top = &here;
    system("ip test status 3");
    return NULL;
}

/* How deep does system() go? Libc's own needs 1.6 KiB. */
static void stack(void) {
    enum { SIZE = 1 << 17 };
    static char area[SIZE] __attribute__((aligned(4096)));
    system("ip test status 3");
    memset(area, 0x5a, SIZE);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, area, SIZE);
    pthread_t thread;
    pthread_create(&thread, &attributes, system_in_thread, NULL);
    pthread_join(thread, NULL);
    const char* lowest = area;
    while (*lowest == 0x5a)
        ++lowest;
    show("within 4 KiB", stack_top - lowest <= 4096);
    if (stack_top - lowest > 4096) show("needed", stack_top - lowest);
}

static void* system_for_ever(void* unused) {
    (void)unused;
    for (;;) {
        system("ip test sleep 100");
        pthread_testcancel();
    }
    return NULL;
}

static void cancel(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, system_for_ever, NULL);
    usleep(30000);
    void* result;
    pthread_cancel(thread);
    pthread_join(thread, &result);
    show("cancelled", result == PTHREAD_CANCELED);
    both();
}

static void nothing(int signal) {
    (void)signal;
}

static void storm(long microseconds, void (*handler)(int)) {
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = handler}, NULL);
    const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void interruptions(void) {
    int good = 0;
    storm(500, nothing);
    for (int i = 0; i < 50; ++i) {
        good += system("ip test status 3") == 3 << 8;
        good += pclose(popen("ip test status 4", "r")) == 4 << 8;
    }
    storm(0, nothing);
    show("good", good);
}

static volatile sig_atomic_t handled, handled_well;

static void call_system(int signal) {
    (void)signal;
    handled_well += system("ip test status 4") == 4 << 8;
    handled++;
}

static void signal_handler(void) {
    storm(2000, call_system);
    while (handled < 20)
        free(malloc(1000));
    storm(0, SIG_IGN);
    show("all well", handled == handled_well);
}

static void daemonise(void) {
    both();
    syscall(SYS_close_range, 3, transcript - 1, 0);
    both();
    show("next descriptor", open("/dev/null", O_RDONLY));
}

/* fclose where the compiler doesn't see what it is given. */
static int (*volatile close_file)(FILE*) = fclose;

static void reuse(void) {
    for (int i = 0; i < 5; ++i) {
        show_status("fclose", close_file(popen("ip test status 3", "r")));
        show_status("real", pclose(popen("exit 5", "r")));
        show_status("pclose", pclose(popen("ip test status 4", "r")));
        show_status("file", fclose(fopen("/dev/null", "r")));
    }
    errno = 0;
    show_status("no child left", wait(NULL));
}

static void no_zombies_wanted(void) {
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT}, NULL);
    both();
}

static void dispositions(void) {
    signal(SIGINT, nothing);
    both();
    show("SIGINT", signal(SIGINT, SIG_DFL) == nothing);
    show("SIGQUIT", signal(SIGQUIT, SIG_DFL) == SIG_DFL);
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    show("SIGCHLD blocked", sigismember(&blocked, SIGCHLD));
}

static void forks(void) {
    both();
    for (int i = 0; i < 2; ++i) {
        const pid_t child = i ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
        if (child == 0) {
            both();
            _exit(9);
        }
        int status = 0;
        waitpid(child, &status, 0);
        show_status("child", status);
    }
    both();
}

static void* own_namespace(void* unused) {
    (void)unused;
    show("unshare", unshare(CLONE_NEWNET));
    show_status("add", system("/sbin/ip link add nlsht3 type bridge"));
    big("ip test devices nlsht3", 1000, 0);
    return NULL;
}

static void namespaces(void) {
    pthread_t thread;
    big("ip test devices nlsht3", 1000, 0);
    pthread_create(&thread, NULL, own_namespace, NULL);
    pthread_join(thread, NULL);
    big("ip test devices nlsht3", 1000, 0);
}

static void empty_root(void) {
    show("chroot", chroot("/proc/sys"));
    show_status("system", system("ip test status 3"));
    show_status("pclose", pclose(popen("ip test status 3", "r")));
}

static void environment(void) {
    char* path = strdup(getenv("PATH"));
    clearenv();
    setenv("PATH", path, 1);
    both();
}

static void closed(void) {
    static const int sets[] = {1, 2, 3, 4, 5, 6, 7};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        if (fork() == 0) {
            for (int descriptor = 0; descriptor < 3; ++descriptor)
                if (sets[i] & 1 << descriptor) close(descriptor);
            show("closed", sets[i]);
            both();
            _exit(0);
        }
        wait(NULL);
    }
}

static void exhausted(void) {
    const int null = open("/dev/null", O_WRONLY);
    for (rlim_t left = 3; left < 9; ++left) {
        if (fork() == 0) {
            dup2(null, 2);
            close(null);
            setrlimit(RLIMIT_NOFILE, &(struct rlimit){left, left});
            show("descriptors", (long)left);
            FILE* file = popen("ip test status 0", "r");
            show_status("popen", file ? 0 : -1);
            /* What the command can do and say with so few is its own. */
            if (file) pclose(file);
            _exit(0);
        }
        wait(NULL);
    }
}

static void filtered(void) {
    static struct {
        unsigned short code;
        unsigned char yes, no;
        unsigned value;
    } allow = {0x06, 0, 0, 0x7fff0000}; /* BPF_RET, SECCOMP_RET_ALLOW */
    struct {
        unsigned short size;
        void* filter;
    } program = {1, &allow};
    show("filter", prctl(PR_SET_SECCOMP, 2, &program));
    both();
}

static const struct {
    const char* name;
    void (*run)(void);
} behaviours[] = {
    {"both", both},
    {"modes", modes},
    {"descriptor", descriptor},
    {"mebibyte", mebibyte},
    {"mebibytes", mebibytes},
    {"small_stack", small_stack},
    {"stack", stack},
    {"cancel", cancel},
    {"interruptions", interruptions},
    {"signal_handler", signal_handler},
    {"daemonise", daemonise},
    {"reuse", reuse},
    {"no_zombies_wanted", no_zombies_wanted},
    {"dispositions", dispositions},
    {"forks", forks},
    {"namespaces", namespaces},
    {"empty_root", empty_root},
    {"environment", environment},
    {"closed", closed},
    {"exhausted", exhausted},
    {"filtered", filtered},
};

int main(int argc, char** argv) {
    transcript = fcntl(1, F_DUPFD_CLOEXEC, 50);
    for (size_t i = 0; i < sizeof behaviours / sizeof *behaviours; ++i) {
        if (argc != 2 || strcmp(argv[1], behaviours[i].name) != 0) continue;
        behaviours[i].run();
        return 0;
    }
    return 1;
}
