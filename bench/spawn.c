/* bench_spawn WAY TIMES [NAME=VALUE…] WORD…: runs the command so often; the variables are its own.
 * The words of system and popen are one line. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int wait_for(pid_t child) {
    int status;
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

static int by_spawn(char** words) {
    pid_t child;
    return posix_spawnp(&child, words[0], NULL, NULL, words, environ) == 0 ? wait_for(child) : -1;
}

static int by_fork(char** words) {
    const pid_t child = fork();
    if (child == 0) {
        execvp(words[0], words);
        _exit(127);
    }
    return wait_for(child);
}

static int by_vfork(char** words) {
    const pid_t child = vfork();
    if (child == 0) {
        execvp(words[0], words);
        _exit(127);
    }
    return wait_for(child);
}

static int by_system(char** words) {
    return system(words[0]);
}

static int by_popen(char** words) {
    char text[4096];
    FILE* const stream = popen(words[0], "r");
    if (!stream) return -1;
    while (fread(text, 1, sizeof text, stream) > 0) {
    }
    return pclose(stream);
}

static const struct {
    const char* name;
    int (*run)(char** words);
} ways[] = {{"spawn", by_spawn},
            {"fork", by_fork},
            {"vfork", by_vfork},
            {"system", by_system},
            {"popen", by_popen}};

int main(int argc, char** argv) {
    char** words = argv + 3;
    size_t way = 0;
    if (argc < 4) return 2;
    while (way < sizeof ways / sizeof *ways && strcmp(ways[way].name, argv[1]) != 0)
        ++way;
    if (way == sizeof ways / sizeof *ways) return 2;
    while (*words && strchr(*words, '='))
        putenv(*words++);
    if (!*words) return 2;
    for (long left = atol(argv[2]); left > 0; --left)
        if (ways[way].run(words) != 0) return 1;
    return 0;
}
