/* posix_spawn of ip: the child can be waited for, and its file actions and attributes are done. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

static int wait_for(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1;
    return status;
}

/* `ip test VERB ARGUMENT`: what posix_spawnp returns, and the status. */
static void spawn(const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                  char* verb, char* argument) {
    char* words[] = {"ip", "test", verb, argument, NULL};
    pid_t child = 0;
    const int error = posix_spawnp(&child, "ip", actions, attributes, words, environ);
    show("error", error);
    if (error == 0) show("status", wait_for(child));
}

BEHAVIOUR(spawn_plain) {
    char* words[] = {"ip", "test", "status", "3", NULL};
    pid_t child = 0;
    spawn(NULL, NULL, "status", "3");
    show("no file", posix_spawn(&child, "/nonexistent/ip", NULL, NULL, words, environ));
    show("no file", posix_spawnp(&child, "/nonexistent/ip", NULL, NULL, words, environ));
    show("nobody waits for another", waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
    show("no number", posix_spawnp(NULL, "ip", NULL, NULL, words, environ));
    show("status", wait_for(-1) != 0);
}

BEHAVIOUR(spawn_actions) {
    static char* const sizes[] = {"250", "60000", "200000"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        posix_spawn_file_actions_t actions;
        char* words[] = {"ip", "test", "out", sizes[i], NULL};
        int ends[2];
        pid_t child = 0;
        pipe2(ends, O_CLOEXEC);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addclose(&actions, 0);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        posix_spawn_file_actions_addclose(&actions, 77);
        show("error", posix_spawnp(&child, "ip", &actions, NULL, words, environ));
        close(ends[1]);
        show("bytes", drain(ends[0]));
        show("status", wait_for(child));
        close(ends[0]);
        posix_spawn_file_actions_destroy(&actions);
    }
}

#ifdef __GLIBC__
/* As Python 3.13's subprocess does. */
BEHAVIOUR(spawn_close_from) {
    posix_spawn_file_actions_t actions;
    int ends[2];
    pipe(ends);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    spawn(&actions, NULL, "out", "250");
    close(ends[1]);
    show("bytes", drain(ends[0]));
    close(ends[0]);
    posix_spawn_file_actions_adddup2(&actions, 3, 1); /* it is closed by then */
    spawn(&actions, NULL, "out", "250");
    posix_spawn_file_actions_destroy(&actions);
}
#endif

/* Lists of actions by chance, many of which fail. */
static void add_action(posix_spawn_file_actions_t* actions, unsigned chance) {
    const int number = (int)(chance >> 8) % 12, other = (int)(chance >> 16) % 12;
    static const char* const files[] = {"/dev/null", "/nonexistent/file", "/dev/full", "/"};
    switch (chance % 5) {
        case 0:
            posix_spawn_file_actions_addclose(actions, number == 11 ? 100000 : number);
            break;
        case 1:
            posix_spawn_file_actions_adddup2(actions, number, other);
            break;
        case 2:
            posix_spawn_file_actions_addopen(actions, number, files[other % 4], O_RDWR, 0600);
            break;
        case 3:
#ifdef __GLIBC__
            posix_spawn_file_actions_addclosefrom_np(actions, number);
            break;
#endif
        default:
            posix_spawn_file_actions_adddup2(actions, number % 3, number % 3);
    }
}

BEHAVIOUR(spawn_random_actions) {
    unsigned chance = 1;
    for (int round = 0; round < 300; ++round) {
        posix_spawn_file_actions_t actions;
        int ends[2];
        pipe(ends);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        for (unsigned i = chance >> 24; i % 5 != 4; ++i) {
            chance = chance * 1664525 + 1013904223;
            add_action(&actions, chance >> 7);
        }
        chance = chance * 1664525 + 1013904223;
        spawn(&actions, NULL, round % 2 ? "out" : "status", round % 2 ? "250" : "3");
        close(ends[1]);
        show("bytes", drain(ends[0]));
        close(ends[0]);
        posix_spawn_file_actions_destroy(&actions);
    }
}

/* Actions that fail: no child is left. */
BEHAVIOUR(spawn_failures) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 5, "/nonexistent/file", O_RDONLY, 0);
    spawn(&actions, NULL, "status", "3");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, 77, 78);
    spawn(&actions, NULL, "status", "3");
    posix_spawn_file_actions_destroy(&actions);
    show("no child", waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
}

/* Unusual actions are left to libc's posix_spawn. */
BEHAVIOUR(spawn_directory) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, "/proc");
    spawn(&actions, NULL, "status", "3");
    posix_spawn_file_actions_destroy(&actions);
}

static void caught(int signal) {
    (void)signal;
    dprintf(transcript(), "the parent's handler\n");
}

BEHAVIOUR(spawn_signals) {
    posix_spawnattr_t attributes;
    sigset_t set;
    signal(SIGUSR1, caught);
    signal(SIGTERM, SIG_IGN);
    posix_spawnattr_init(&attributes);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    posix_spawnattr_setsigmask(&attributes, &set);
    sigaddset(&set, SIGTERM);
    posix_spawnattr_setsigdefault(&attributes, &set);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    spawn(NULL, &attributes, "status", "3");
    sigprocmask(SIG_SETMASK, NULL, &set);
    show("own mask", sigismember(&set, SIGUSR2));
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    show("own handler", action.sa_handler == caught);
    sigaction(SIGTERM, NULL, &action);
    show("own ignored", action.sa_handler == SIG_IGN);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSCHEDULER | POSIX_SPAWN_RESETIDS);
    spawn(NULL, &attributes, "status", "4");
    posix_spawnattr_destroy(&attributes);
}

/* The parent can wait for the command like for any other child. */
BEHAVIOUR(spawn_children) {
    char* words[] = {"ip", "test", "status", "3", NULL};
    pid_t children[20];
    for (int i = 0; i < 20; ++i)
        posix_spawnp(&children[i], "ip", NULL, NULL, words, environ);
    long sum = 0;
    for (int i = 0; i < 20; ++i)
        sum += WEXITSTATUS(wait_for(children[i]));
    show("sum", sum);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    spawn(NULL, NULL, "status", "3");
    siginfo_t information;
    show("SIGCHLD", sigtimedwait(&set, &information, &(struct timespec){.tv_sec = 10}));
    show("its status", information.si_status);
}
