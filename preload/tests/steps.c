/* How many instructions a program executes for a call that the library stands before, to its end
 * or to the new program's first one: steps first|later WAY FILE. It is stepped through by ptrace,
 * so that the count is exact, whatever else the machine does. "later": not the first such call of
 * the process.
 *
 * Where another traces it (strace), `steps run …` marks by getsid() where the call begins. */
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void by_execve(char** words) {
    execve(words[0], words, environ);
}

static void along_path(char** words) {
    execvp(words[0], words);
}

static void spawn(char** words) {
    pid_t child;
    if (posix_spawn(&child, words[0], NULL, NULL, words, environ) == 0) waitpid(child, NULL, 0);
}

static void spawn_along_path(char** words) {
    pid_t child;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) == 0) waitpid(child, NULL, 0);
}

static void close_stream(char** words) {
    FILE* const stream = fopen(words[0], "r");
    fclose(stream ? stream : stdin);
}

static const struct way {
    const char* name;
    void (*call)(char**);
} ways[] = {
    {.name = "execve", .call = by_execve},    {.name = "execvp", .call = along_path},
    {.name = "posix_spawn", .call = spawn},   {.name = "posix_spawnp", .call = spawn_along_path},
    {.name = "fclose", .call = close_stream},
};

static const struct way* find(const char* name) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
        if (strcmp(ways[i].name, name) == 0) return &ways[i];
    return NULL;
}

/* Where the counting begins and ends. */
static void mark(bool stepped) {
    if (stepped)
        raise(SIGSTOP);
    else
        getsid(0);
}

static int run(const char* when, const struct way* way, char* file) {
    char* missing[] = {"/nonexistent/program", NULL};
    char* words[] = {file, NULL};
    unsetenv("LD_PRELOAD"); /* don't count the new program's start */
    const bool stepped = ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
    if (strcmp(when, "later") == 0) way->call(missing);
    mark(stepped);
    way->call(words);
    mark(stepped);
    return 0;
}

/* Otherwise each step wakes another processor, which takes most of the time. */
static void stay_on_this_processor(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Waits for the first mark. The process also stops for the SIGCHLD of its children. */
static bool has_begun(pid_t process) {
    int status;
    while (waitpid(process, &status, 0) == process && WIFSTOPPED(status)) {
        if (WSTOPSIG(status) == SIGSTOP) return true;
        ptrace(PTRACE_CONT, process, NULL, 0);
    }
    return false;
}

/* Counts until a process execs, or until the first process's second mark. 0: neither came. */
static long count_steps(pid_t first) {
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    int status;
    if (!has_begun(first)) return 0;
    ptrace(PTRACE_SETOPTIONS, first, NULL, options);
    ptrace(PTRACE_SINGLESTEP, first, NULL, 0);
    for (long steps = 0;;) {
        const pid_t process = waitpid(-1, &status, __WALL);
        if (process < 0 || !WIFSTOPPED(status)) return 0;
        const int stop = status >> 8;
        if (stop == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) return steps;
        if (stop == SIGSTOP && process == first) return steps; /* a new child begins by one, too */
        if (stop == SIGTRAP) ++steps;
        ptrace(PTRACE_SINGLESTEP, process, NULL, 0);
    }
}

int main(int argc, char** argv) {
    const bool inside = argc == 5 && strcmp(argv[1], "run") == 0;
    char** const words = inside ? argv + 2 : argv + 1;
    const struct way* const way = inside || argc == 4 ? find(words[1]) : NULL;
    if (!way) return 2;
    if (inside) return run(words[0], way, words[2]);
    stay_on_this_processor();
    const pid_t child = fork();
    if (child == 0) {
        personality(ADDR_NO_RANDOMIZE); /* for the same count each time */
        execl(argv[0], argv[0], "run", words[0], words[1], words[2], NULL);
        _exit(127);
    }
    const long steps = count_steps(child);
    printf("%ld\n", steps);
    return steps > 0 ? 0 : 1;
}
