/* Runs one command through popen or system as a test asks, and prints what a program sees of it.
 * client HOW COMMAND [OPTION …]: the stream's bytes go to stdout, "NAME VALUE ERROR" lines to fd 3.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char* what, int status, int error) {
    char line[200];
    const int size = snprintf(line, sizeof line, "%s %d %s\n", what, status,
                              status == -1 ? strerror(error) : "-");
    const ssize_t written = write(3, line, (size_t)size);
    (void)written; /* a test may leave descriptor 3 closed */
}

static int run_system(const char* command) {
    errno = 77;
    const int status = system(command);
    if (status != -1 && errno != 77) report("errno", errno, 0);
    report("system", status, errno);
    return 0;
}

/* Copies the stream to stdout; how = "pclose" or "fclose"; limit < 0: all of it. */
static int run_popen(const char* command, int (*finish)(FILE*), long limit, unsigned pause) {
    errno = 77;
    FILE* file = popen(command, "r");
    if (!file) {
        report("popen", -1, errno);
        return 0;
    }
    if (errno != 77) report("errno", errno, 0);
    report("fd", fileno(file), 0);
    report("cloexec", fcntl(fileno(file), F_GETFD), 0);
    usleep(pause);
    char buffer[1000];
    size_t got;
    long left = limit;
    while (left && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
        fwrite(buffer, 1, got, stdout);
        if (left > 0) left--;
    }
    fflush(stdout);
    errno = 77;
    const int status = finish(file);
    report("status", status, errno);
    return 0;
}

/* The child closes the parent's stream, too, though the command isn't its child. */
static int run_fork(const char* command) {
    FILE* file = popen(command, "r");
    if (!file) return 1;
    const pid_t child = fork();
    if (child == 0) {
        const int status = pclose(file);
        report("child", status, errno);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    char buffer[100000];
    size_t got = fread(buffer, 1, sizeof buffer, file);
    report("bytes", (int)got, 0);
    const int status = pclose(file);
    report("parent", status, errno);
    return 0;
}

static const char* thread_command;
static int thread_errors;

static void* thread(void* unused) {
    (void)unused;
    for (int i = 0; i < 20; ++i) {
        char line[200];
        FILE* file = popen(thread_command, "r");
        if (!file || !fgets(line, sizeof line, file)) __atomic_fetch_add(&thread_errors, 1, 5);
        if (file && pclose(file) != 0) __atomic_fetch_add(&thread_errors, 1, 5);
        if (system("ip test status 5") != 5 << 8) __atomic_fetch_add(&thread_errors, 1, 5);
    }
    return NULL;
}

static int run_threads(const char* command) {
    pthread_t threads[64];
    thread_command = command;
    for (int i = 0; i < 64; ++i)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 64; ++i)
        pthread_join(threads[i], NULL);
    report("errors", thread_errors, 0);
    return 0;
}

static int run_many(const char* command) {
    FILE* files[100];
    int opened = 0, good = 0;
    for (; opened < 100; ++opened) {
        files[opened] = popen(command, "r");
        if (!files[opened]) break;
    }
    for (int i = 0; i < opened; ++i)
        good += pclose(files[i]) == 0;
    report("opened", opened, 0);
    report("good", good, 0);
    return 0;
}

int main(int argc, char** argv) {
    if (argc < 3) return 1;
    for (int i = 3; i < argc; ++i) {
        if (!strcmp(argv[i], "ignore-sigchld")) signal(SIGCHLD, SIG_IGN);
        if (!strcmp(argv[i], "ignore-sigpipe")) signal(SIGPIPE, SIG_IGN);
        if (!strcmp(argv[i], "close0")) close(0);
        if (!strcmp(argv[i], "close1")) close(1);
        if (!strcmp(argv[i], "close2")) close(2);
        if (!strcmp(argv[i], "few-files")) setrlimit(RLIMIT_NOFILE, &(struct rlimit){5, 5});
        if (!strcmp(argv[i], "nobody") && setuid(65534) != 0) return 1;
        if (!strcmp(argv[i], "euid") && seteuid(65534) != 0) return 1;
    }
    const char* how = argv[1];
    if (!strcmp(how, "system")) return run_system(argv[2]);
    if (!strcmp(how, "popen")) return run_popen(argv[2], pclose, -1, 0);
    if (!strcmp(how, "slow")) return run_popen(argv[2], pclose, -1, 300000);
    if (!strcmp(how, "early")) return run_popen(argv[2], pclose, 1, 0);
    if (!strcmp(how, "fclose")) return run_popen(argv[2], fclose, -1, 0);
    if (!strcmp(how, "fork")) return run_fork(argv[2]);
    if (!strcmp(how, "threads")) return run_threads(argv[2]);
    if (!strcmp(how, "many")) return run_many(argv[2]);
    return 1;
}
