/* Processes that exec ip: what they inherit, print and wait for, and their status. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

static char path[256]; /* of the ip that PATH leads to */

static void find_ip(void) {
    const char* const directories = getenv("PATH");
    snprintf(path, sizeof path, "%.*s/ip", (int)strcspn(directories, ":"), directories);
}

static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

static void by_execve(char** words) {
    execve(path, words, environ);
}
static void by_execv(char** words) {
    execv(path, words);
}
static void by_execvp(char** words) {
    execvp("ip", words);
}
static void by_execvpe(char** words) {
    execvpe("ip", words, environ);
}
static void by_execl(char** words) {
    execl(path, words[0], words[1], words[2], words[3], (char*)NULL);
}
static void by_execlp(char** words) {
    execlp("ip", words[0], words[1], words[2], words[3], (char*)NULL);
}
static void by_execle(char** words) {
    execle(path, words[0], words[1], words[2], words[3], (char*)NULL, environ);
}

typedef void becoming(char** words);
static becoming* const family[] = {by_execve, by_execv,  by_execvp, by_execvpe,
                                   by_execl,  by_execlp, by_execle};

/* A child that becomes `ip test VERB ARGUMENT`. */
static pid_t become(becoming* how, char* verb, char* argument, int output) {
    char* words[] = {"ip", "test", verb, argument, NULL};
    const pid_t child = fork();
    if (child != 0) return child;
    if (output >= 0) dup2(output, 1);
    how(words);
    _exit(99);
}

BEHAVIOUR(exec_family) {
    find_ip();
    for (size_t i = 0; i < sizeof family / sizeof *family; ++i) {
        int ends[2];
        show("status", wait_for(become(family[i], "status", "3", -1)));
        pipe(ends);
        const pid_t child = become(family[i], "out", "250", ends[1]);
        close(ends[1]);
        show("bytes", drain(ends[0]));
        show("status", wait_for(child));
        close(ends[0]);
    }
}

BEHAVIOUR(exec_missing) {
    char* words[] = {"ip", "link", NULL};
    show_status("no file", execve("/nonexistent/ip", words, environ));
    show_status("no ip in a directory", execve("/usr/lib/ip", words, environ));
    show_status("a shell",
                execve("/nonexistent/sh", (char*[]){"sh", "-c", "ip link", NULL}, environ));
    show_status("no directory", execve("/dev/null/ip", words, environ));
    show_status("a directory", execve("/proc/sys", words, environ));
    setenv("PATH", "/nonexistent:/proc", 1);
    show_status("not in PATH", execvp("ip", words));
    show_status("no name", execvp("", words));
}

/* A close-on-exec pipe ends for the waiting parent before the command ends. */
BEHAVIOUR(exec_closes) {
    int told[2], kept[2];
    find_ip();
    pipe2(told, O_CLOEXEC);
    pipe(kept);
    const pid_t child = become(by_execv, "sleep", "700", -1);
    close(told[1]);
    close(kept[1]);
    show("bytes", drain(told[0]));
    show("still there", waitpid(child, NULL, WNOHANG) == 0);
    struct pollfd inherited = {.fd = kept[0]};
    show("inherited is open", poll(&inherited, 1, 0) == 0);
    show("status", wait_for(child));
    show("inherited is closed", poll(&inherited, 1, 0) == 1);
}

/* The same with high descriptor numbers, and with a low descriptor limit. */
BEHAVIOUR(exec_closes_high) {
    static const int numbers[] = {63, 64, 255, 256, 300, 1000};
    find_ip();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        int told[2];
        pipe2(told, O_CLOEXEC);
        fcntl(told[1], F_DUPFD_CLOEXEC, numbers[i]);
        const pid_t child = become(by_execv, "sleep", "200", -1);
        close(told[1]);
        close(numbers[i]);
        show("bytes", drain(told[0]));
        show("still there", waitpid(child, NULL, WNOHANG) == 0);
        show("status", wait_for(child));
        close(told[0]);
    }
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){60, 60});
    show("status", wait_for(become(by_execv, "status", "3", -1)));
}

static pid_t vfork_into(char* verb, char* argument, int output) {
    char* words[] = {"ip", "test", verb, argument, NULL};
    const pid_t child = vfork();
    if (child != 0) return child;
    dup2(output, 1);
    execv(path, words);
    _exit(99);
}

/* The parent reads only after the exec. */
BEHAVIOUR(exec_vforks) {
    static char* const sizes[] = {"250", "4000", "5000", "60000", "100000", "1000000"};
    find_ip();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        int ends[2];
        pipe2(ends, O_CLOEXEC);
        const pid_t child = vfork_into("out", sizes[i], ends[1]);
        close(ends[1]);
        show("bytes", drain(ends[0]));
        show("status", wait_for(child));
        close(ends[0]);
    }
}

/* Pipes with little or no room until the reader starts. */
BEHAVIOUR(exec_full_pipes) {
    static const size_t left[] = {0, 100, 4096};
    static char rest[65536];
    find_ip();
    for (size_t i = 0; i < sizeof left / sizeof *left; ++i) {
        int ends[2];
        pipe2(ends, O_CLOEXEC);
        write(ends[1], rest, sizeof rest - left[i]);
        const pid_t child = vfork_into("out", "4000", ends[1]);
        close(ends[1]);
        show("bytes", drain(ends[0]));
        show("status", wait_for(child));
        close(ends[0]);
    }
}

static void count(int signal) {
    (void)signal;
    dprintf(transcript(), "the parent's handler\n");
}

/* What a signal does to the command if the parent caught, ignored or blocked it. */
BEHAVIOUR(exec_signals) {
    sigset_t blocked;
    find_ip();
    signal(SIGTERM, count);
    signal(SIGINT, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    const int sent[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGKILL};
    for (size_t i = 0; i < sizeof sent / sizeof *sent; ++i) {
        int told[2];
        pipe2(told, O_CLOEXEC);
        const pid_t child = become(by_execv, "sleep", "300", -1);
        close(told[1]);
        drain(told[0]); /* the child has become ip */
        kill(child, sent[i]);
        show("status", wait_for(child));
        close(told[0]);
    }
}

/* The command is stopped and continued, as in job control. */
BEHAVIOUR(exec_stops) {
    int told[2], status = 0;
    find_ip();
    pipe2(told, O_CLOEXEC);
    const pid_t child = become(by_execv, "sleep", "300", -1);
    close(told[1]);
    drain(told[0]);
    kill(child, SIGTSTP);
    waitpid(child, &status, WUNTRACED);
    show("stopped", WIFSTOPPED(status));
    kill(child, SIGCONT);
    show("status", wait_for(child));
}

static void exec_without(int first, int second) {
    char* words[] = {"ip", "test", "status", "3", NULL};
    const pid_t child = fork();
    if (child == 0) {
        close(first);
        close(second);
        execv(path, words);
        _exit(99);
    }
    show("status", wait_for(child));
}

BEHAVIOUR(exec_closed) {
    find_ip();
    for (int first = 0; first <= 2; ++first)
        for (int second = first; second <= 2; ++second)
            exec_without(first, second);
}

/* Outputs that refuse bytes: a full device, a pipe without a reader, a non-blocking pipe. */
BEHAVIOUR(exec_refused) {
    int ends[2];
    find_ip();
    const int full = open("/dev/full", O_WRONLY);
    show("full", WIFEXITED(wait_for(become(by_execv, "out", "250", full))));
    pipe(ends);
    close(ends[0]);
    wait_for(become(by_execv, "out", "250", ends[1]));
    const int file = open("/dev/null", O_RDONLY);
    wait_for(become(by_execv, "out", "250", file));
}

BEHAVIOUR(exec_environment) {
    char* words[] = {"ip", "test", "status", "3", NULL};
    char* none[] = {NULL};
    char* disabled[] = {"NLSH_DISABLE=1", "PATH=/usr/bin:/bin", NULL};
    char* off[] = {"NLSH_EXEC=0", "PATH=/usr/bin:/bin", NULL};
    char* strange[] = {"HZ=100", "PATH=/usr/bin:/bin", NULL};
    char** const environments[] = {none, disabled, off, strange};
    find_ip();
    for (size_t i = 0; i < sizeof environments / sizeof *environments; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            execve(path, words, environments[i]);
            _exit(99);
        }
        show("status", wait_for(child));
    }
}

static void* sleep_on(void* argument) {
    pause();
    return argument;
}

static void* exec_in_thread(void* argument) {
    char* words[] = {"ip", "test", "status", "3", NULL};
    execv(path, words);
    return argument;
}

/* exec ends all threads, whichever thread calls it. */
BEHAVIOUR(exec_threads) {
    find_ip();
    const pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleep_on, NULL);
        pthread_create(&thread, NULL, exec_in_thread, NULL);
        pthread_join(thread, NULL);
        _exit(99);
    }
    show("status", wait_for(child));
}

/* The program itself execs ip, without a child: ip keeps its pid. */
BEHAVIOUR(exec_itself) {
    char* words[] = {"ip", "test", "status", "3", NULL};
    find_ip();
    execv(path, words);
}

BEHAVIOUR(exec_names) {
    static char* const names[] = {"ip", "/sbin/ip", "ipv", "bridge", ""};
    find_ip();
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char* words[] = {names[i], "test", "status", "3", NULL};
        const pid_t child = fork();
        if (child == 0) {
            execv(path, words);
            _exit(99);
        }
        show("status", wait_for(child));
    }
}

/* Shells with a line: started as system() does, and otherwise. */
BEHAVIOUR(exec_shells) {
    static char* const shells[][6] = {
        {"sh", "-c", "ip test status 3"},
        {"sh", "-c", "ip test status 3", "name"},
        {"sh", "-e", "-c", "ip test status 3"},
        {"sh", "-ec", "ip test status 3"},
        {"sh", "-c", "exit 4; ip"},
        {"sh", "-c", "exit 5 # ip"},
        {"-sh", "-c", "ip test status 3"},
        {"sh", "ip test status 3"},
        {"sh", "-c"},
    };
    for (size_t i = 0; i < sizeof shells / sizeof *shells; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            close(2);
            open("/dev/null", O_WRONLY);
            execv("/bin/sh", (char* const*)shells[i]);
            _exit(99);
        }
        show("status", wait_for(child));
    }
}

/* The preload leaves programs other than ip alone. */
BEHAVIOUR(exec_others) {
    const pid_t child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "exit 4", (char*)NULL);
        _exit(99);
    }
    show("status", wait_for(child));
}
