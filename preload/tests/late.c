// Calls system(), imported or found by dlsym, where loading a library would hang (spawned_test.py).
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static int (*call)(const char*);
static volatile int stop, calls, bad;
static void* link_again(void* unused) {
    while (!stop) {
        void* one = dlopen("libm.so.6", RTLD_NOW);
        if (one) dlclose(one);
    }
    return unused;
}
static void handler(int unused) {
    (void)unused;
    bad += call("ip link set lo up") != 0;
    calls++;
}
int main(void) {
#ifdef IMPORTS
    call = system;
#else
    call = (int (*)(const char*))dlsym(RTLD_DEFAULT, "system");
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, link_again, NULL);
    for (int i = 0; i < 40; ++i) {
        const pid_t child = i % 2 ? fork() : vfork();
        if (child == 0) {
            alarm(20);
            _exit(call("ip link set lo up") != 0);
        }
        int status;
        waitpid(child, &status, 0);
        bad += status != 0;
    }
    stop = 1;
    pthread_join(thread, NULL);
    signal(SIGALRM, handler);
    for (int i = 0; i < 20; ++i) {
        ualarm(1000, 0);
        while (calls == i)
            free(malloc(100));
    }
    char line[512];
    int engines = 0;
    FILE* maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        engines += strstr(line, "nlsh-engine") != NULL;
    printf("bad %d\n", bad);
    fprintf(stderr, "%s\n", engines ? "loaded" : "not loaded");
    return 0;
}
