#include "shim/wire/append.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Signals that a write may raise. */
static const int write_signals[] = {SIGPIPE, SIGXFSZ};
enum { WRITE_SIGNALS = sizeof write_signals / sizeof *write_signals };

/* A signal that was pending before stays pending. */
static void write_or_lose(int file, const char* text, size_t size) {
    sigset_t raised, before, pending;
    sigemptyset(&raised);
    for (int i = 0; i < WRITE_SIGNALS; ++i)
        sigaddset(&raised, write_signals[i]);
    pthread_sigmask(SIG_BLOCK, &raised, &before);
    sigpending(&pending);
    for (int i = 0; i < WRITE_SIGNALS; ++i)
        if (sigismember(&pending, write_signals[i])) sigdelset(&raised, write_signals[i]);
    const struct timespec at_once = {0};
    if (write(file, text, size) < 0) sigtimedwait(&raised, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void append_or_lose(const char* path, const char* text, size_t size) {
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const int file = open(path, flags, 0644);
    if (file < 0) return;
    write_or_lose(file, text, size);
    close(file);
}
