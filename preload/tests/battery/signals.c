/* Signals, and the death of children. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "battery.h"

BEHAVIOUR(interruptions) {
    int good = 0;
    storm(500, nothing);
    for (int i = 0; i < 20; ++i) {
        good += system("ip test status 3") == 3 << 8;
        good += pclose(popen("ip test status 4", "r")) == 4 << 8;
    }
    for (int i = 0; i < 5; ++i) {
        FILE* file = popen("ip test out 300000", "r");
        good += drain(fileno(file)) <= 300000; /* read(2) is interrupted, too */
        const int status = pclose(file);
        good += status == 0 || status == 141 << 8;
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

/* Interrupts malloc, one signal at a time: the handler may take longer than a short period. */
BEHAVIOUR(signal_handler) {
    signal(SIGALRM, call_system);
    for (int i = 0; i < 10; ++i) {
        ualarm(1000, 0);
        while (handled == i)
            free(malloc(1000));
    }
    show("all well", handled == handled_well);
}

/* system() in a handler that interrupts popen, pclose and system themselves. */
BEHAVIOUR(nested) {
    int good = 1;
    signal(SIGALRM, call_system);
    for (int i = 0; i < 300 && good; ++i) {
        ualarm(1 + (useconds_t)i, 0);
        const int status = system("ip test status 3");
        FILE* file = popen("ip test status 5", "r");
        good = status == 3 << 8 && pclose(file) == 5 << 8;
    }
    show("all well", good && handled > 0 && handled == handled_well);
}

BEHAVIOUR(ignored) {
    signal(SIGCHLD, SIG_IGN);
    both();
    FILE* big = popen("ip test out 200000", "r");
    show("bytes", drain(fileno(big)));
    show_status("pclose", pclose(big));
}

BEHAVIOUR(no_zombies_wanted) {
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT}, NULL);
    both();
}

/* SIGCHLD's disposition changes between popen and pclose. Only the disposition at the child's end
 * counts, which was earlier. */
BEHAVIOUR(ignored_later) {
    FILE* file = popen("ip test status 4", "r");
    drain(fileno(file));
    usleep(100000);
    signal(SIGCHLD, SIG_IGN);
    show_status("pclose", pclose(file));
}

BEHAVIOUR(dispositions) {
    signal(SIGINT, nothing);
    both();
    show("SIGINT", signal(SIGINT, SIG_DFL) == nothing);
    show("SIGQUIT", signal(SIGQUIT, SIG_DFL) == SIG_DFL);
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    show("SIGCHLD blocked", sigismember(&blocked, SIGCHLD));
}

static volatile sig_atomic_t counted;

static void count(int signal) {
    (void)signal;
    counted++;
}

BEHAVIOUR(counting_handler) {
    signal(SIGCHLD, count);
    show_status("system", system("ip test status 3"));
    show("SIGCHLD", counted);
    read_some("ip test status 4", 100, 0);
    show("SIGCHLD", counted);
}

BEHAVIOUR(blocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    show_status("system", system("ip test status 3"));
    const struct timespec limit = {.tv_sec = 0, .tv_nsec = 300000000};
    show("SIGCHLD pending", sigtimedwait(&set, NULL, &limit) == SIGCHLD);
}

static void reap(int signal) {
    (void)signal;
    const int error = errno;
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
    errno = error;
}

BEHAVIOUR(reaping_handler) {
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = reap, .sa_flags = SA_RESTART}, NULL);
    show_status("system", system("ip test status 3"));
    FILE* file = popen("ip test status 4", "r");
    drain(fileno(file));
    usleep(100000);
    show_status("pclose", pclose(file));
}

static void* wait_for_all(void* stop) {
    while (!*(volatile int*)stop) {
        if (wait(NULL) < 0) usleep(1000);
    }
    return NULL;
}

/* Another thread waits for any child: popen still works, and that thread reaps the program's own
 * child. */
BEHAVIOUR(waiting_thread) {
    volatile int stop = 0;
    const pid_t own = fork();
    if (own == 0) {
        usleep(300000);
        _exit(0);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_all, (void*)&stop);
    for (int i = 0; i < 20; ++i) {
        FILE* file = popen("ip test out 250", "r");
        if (drain(fileno(file)) != 250) show("bytes", -1);
        pclose(file);
    }
    usleep(400000);
    stop = 1;
    pthread_join(thread, NULL);
    show("own child reaped", kill(own, 0) < 0);
}

BEHAVIOUR(interrupt_key) {
    signal(SIGINT, count);
    struct itimerval timer = {{0, 0}, {0, 50000}};
    signal(SIGALRM, nothing);
    if (fork() == 0) {
        usleep(100000);
        kill(getppid(), SIGINT);
        _exit(0);
    }
    setitimer(ITIMER_REAL, &timer, NULL);
    show_status("system", system("ip test sleep 300"));
    show("SIGINT", counted);
}

static sigjmp_buf out;

static void leave(int signal) {
    (void)signal;
    siglongjmp(out, 1);
}

/* A handler jumps out of a call: later calls work. */
BEHAVIOUR(jumped_out) {
    signal(SIGALRM, leave);
    if (sigsetjmp(out, 1) == 0) {
        ualarm(50000, 0);
        system("ip test sleep 300");
        show("not reached", 1);
    }
    usleep(500000);
    show_status("system", system("ip test status 3"));
    show_status("pclose", pclose(popen("ip test status 4", "r")));
}
