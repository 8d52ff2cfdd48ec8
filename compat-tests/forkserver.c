// Preloaded into the real ip or bridge: runs its main() for each command in a child of a process
// that is started and linked already. A command costs a fork instead of a start.
//
// NLSH_FORK_SERVER is a socket. A request is its size (32 bits) and the words, each with a NUL; the
// answer is the wait status (32 bits). The child inherits the server's outputs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST_MAX = 128 * 1024, WORDS_MAX = 256, BROKEN = 97 };

typedef int program(int, char**, char**);
typedef int start(program*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static struct {
    program* main;
    int socket;
} server;

static int take(void* bytes, size_t size) {
    return recv(server.socket, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

static _Noreturn void run(char* words, size_t size) {
    char* arguments[WORDS_MAX + 1];
    int count = 0;
    for (char* word = words; word < words + size && count < WORDS_MAX; word += strlen(word) + 1)
        arguments[count++] = word;
    arguments[count] = NULL;
    close(server.socket);
    exit(server.main(count, arguments, environ));
}

static int serve(int count, char** arguments, char** environment) {
    (void)count, (void)arguments, (void)environment;
    static char words[REQUEST_MAX];
    uint32_t size;
    while (take(&size, sizeof size)) {
        int32_t status = -1;
        if (size > sizeof words || !take(words, size)) return BROKEN;
        const pid_t child = fork();
        if (child < 0) return BROKEN;
        if (child == 0) run(words, size);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (send(server.socket, &status, sizeof status, MSG_NOSIGNAL) != sizeof status) break;
    }
    return 0;
}

int __libc_start_main(program* real_main, int count, char** arguments, void (*begin)(void),
                      void (*end)(void), void (*unload)(void), void* stack) {
    start* const next = (start*)dlsym(RTLD_NEXT, "__libc_start_main");
    const char* const socket = getenv("NLSH_FORK_SERVER");
    if (!socket) return next(real_main, count, arguments, begin, end, unload, stack);
    server.main = real_main;
    server.socket = atoi(socket);
    unsetenv("NLSH_FORK_SERVER");
    unsetenv("LD_PRELOAD");
    return next(serve, count, arguments, begin, end, unload, stack);
}
