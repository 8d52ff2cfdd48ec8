/* Threads: small stacks, many at once, cancellation, a network namespace for each. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "battery.h"

static void* both_in_thread(void* unused) {
    (void)unused;
    both();
    return NULL;
}

enum { SMALLEST_STACK = 16384 }; /* PTHREAD_STACK_MIN; musl's is smaller */

BEHAVIOUR(small_stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALLEST_STACK);
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

/* How much stack does system() use? libc's needs 1.6 KiB. */
BEHAVIOUR(stack) {
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
    if (getenv("SHOW_STACK") || stack_top - lowest > 4096) show("needed", stack_top - lowest);
}

static void* system_for_ever(void* unused) {
    (void)unused;
    for (;;) {
        system("ip test sleep 100");
        pthread_testcancel();
    }
    return NULL;
}

BEHAVIOUR(cancel) {
    pthread_t thread;
    pthread_create(&thread, NULL, system_for_ever, NULL);
    usleep(30000);
    void* result;
    pthread_cancel(thread);
    pthread_join(thread, &result);
    show("cancelled", result == PTHREAD_CANCELED);
    both();
}

static void* cancelled_before(void* unused) {
    (void)unused;
    pthread_cancel(pthread_self());
    system("ip test status 3");
    show("not reached", 1);
    return NULL;
}

/* popen isn't a cancellation point; system is, pclose may be. */
static void* cancelled_with_stream(void* unused) {
    (void)unused;
    int state;
    FILE* file = popen("ip test out 250", "r");
    show("popen", file != NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    show("state", state == PTHREAD_CANCEL_ENABLE);
    pthread_cancel(pthread_self());
    show("bytes", drain(fileno(file)));
    show_status("pclose", pclose(file));
    show_status("system", system("ip test status 3"));
    pthread_setcancelstate(state, NULL);
    pthread_testcancel();
    show("not reached", 1);
    return NULL;
}

BEHAVIOUR(cancel_states) {
    void* (*const bodies[])(void*) = {cancelled_before, cancelled_with_stream};
    for (int i = 0; i < 2; ++i) {
        pthread_t thread;
        void* result;
        pthread_create(&thread, NULL, bodies[i], NULL);
        pthread_join(thread, &result);
        show("cancelled", result == PTHREAD_CANCELED);
    }
    both();
}

static void* sleep_in_system(void* unused) {
    (void)unused;
    system("ip test sleep 900");
    return NULL;
}

/* Is a thread that waits in system() joined before its command has ended? */
BEHAVIOUR(cancel_at_once) {
    struct timespec start, end;
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_in_system, NULL);
    usleep(100000);
    clock_gettime(CLOCK_MONOTONIC, &start);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const long ms = (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000;
    show("at once", ms < 400);
}

static int thread_errors;

static void* many_calls(void* unused) {
    (void)unused;
    for (int i = 0; i < 4; ++i) {
        int good = system("ip test status 3") == 3 << 8;
        FILE* file = popen("ip test out 100000", "r");
        good &= drain(fileno(file)) == 100000;
        good &= pclose(file) == 0;
        good &= pclose(popen("ip test status 5", "r")) == 5 << 8;
        if (!good) __atomic_fetch_add(&thread_errors, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

BEHAVIOUR(many_threads) {
    pthread_t threads[64];
    for (int i = 0; i < 64; ++i)
        pthread_create(&threads[i], NULL, many_calls, NULL);
    for (int i = 0; i < 64; ++i)
        pthread_join(threads[i], NULL);
    show("errors", thread_errors);
}

static void* own_namespace(void* unused) {
    (void)unused;
    show("unshare", unshare(CLONE_NEWNET));
    show_status("add", system("/sbin/ip link add nlsht3 type bridge"));
    read_some("ip test devices nlsht3", 1000, 0);
    return NULL;
}

BEHAVIOUR(namespaces) {
    pthread_t thread;
    read_some("ip test devices nlsht3", 1000, 0);
    pthread_create(&thread, NULL, own_namespace, NULL);
    pthread_join(thread, NULL);
    read_some("ip test devices nlsht3", 1000, 0);
}

/* Enters a namespace and returns; reads a stream of one namespace in the other. */
BEHAVIOUR(entered_namespaces) {
    const int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    show("unshare", unshare(CLONE_NEWNET));
    show_status("add", system("/sbin/ip link add nlsht3 type bridge"));
    const int there = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < 3; ++i) {
        show("setns", setns(home, CLONE_NEWNET));
        read_some("ip test devices nlsht3", 1000, 0);
        FILE* file = popen("ip test out 200000", "r");
        show("setns", setns(there, CLONE_NEWNET));
        read_some("ip test devices nlsht3", 1000, 0);
        show("bytes", drain(fileno(file)));
        show_status("pclose", pclose(file));
    }
}
