/* Failed execs: they set errno and change nothing. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

enum { PAGE = 4096 };
static char* words[] = {"ip", "test", "status", "3", NULL};
static char* shell[] = {"sh", "-c", "ip test status 3", NULL};

/* Each exec and spawn fails, because `bad` is unreadable memory. */
static void exec_with(char* const* bad) {
    posix_spawnattr_t* const none = NULL;
    pid_t child;
    show_status("file", execve((const char*)bad, words, environ));
    show_status("execv's file", execv((const char*)bad, words));
    show("posix_spawn's file", posix_spawn(&child, (const char*)bad, NULL, none, words, environ));
    show_status("argv", execve("/usr/sbin/ip", bad, environ));
    show_status("another program's argv", execve("/bin/true", bad, environ));
    show_status("environment", execve("/usr/sbin/ip", words, bad));
    show_status("a shell's environment", execve("/bin/sh", shell, bad));
    char* word[] = {"ip", "link", (char*)bad, NULL};
    show_status("a word", execve("/usr/sbin/ip", word, environ));
    char* name[] = {(char*)bad, "link", NULL};
    show_status("the name", execve("/usr/sbin/ip", name, environ));
    char* line[] = {"sh", "-c", (char*)bad, NULL};
    show_status("a line", execve("/bin/sh", line, environ));
    show_status("a variable", execve("/usr/sbin/ip", words, (char*[]){"A=1", (char*)bad, NULL}));
}

BEHAVIOUR(exec_bad_pointers) {
    char* const pages =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + PAGE, PAGE, PROT_NONE);
    exec_with((char* const*)(pages + PAGE));
    exec_with((char* const*)1);
    exec_with((char* const*)-8);
    /* A name, a word and a list that run into the unreadable page. */
    char* const text = pages + PAGE - sizeof "/usr/sbin/ip" + 1;
    memcpy(text, "/usr/sbin/ip", sizeof "/usr/sbin/ip" - 1);
    show_status("a name without an end", execve(text, words, environ));
    show_status("a word without an end",
                execve("/usr/sbin/ip", (char*[]){"ip", text, NULL}, environ));
    char** const list = (char**)(pages + PAGE) - 2;
    list[0] = "ip";
    list[1] = "link";
    show_status("a list without an end", execve("/usr/sbin/ip", list, environ));
    const char* volatile nothing = NULL;
    show_status("no name", execve(nothing, words, environ));
}

/* Words that exec refuses: one that is too long, and too many for a small stack limit. */
BEHAVIOUR(exec_too_large) {
    enum { WORD = 140 * 1024, VARIABLES = 5, VARIABLE = 40 * 1024 };
    char* environment[VARIABLES + 1] = {NULL};
    char* const word = malloc(WORD);
    memset(word, 'x', WORD);
    word[WORD - 1] = 0;
    show_status("a word",
                execve("/usr/sbin/ip", (char*[]){"ip", "link", "show", word, NULL}, environ));
    for (int i = 0; i < VARIABLES; ++i) {
        environment[i] = malloc(VARIABLE);
        memset(environment[i], 'A' + i, VARIABLE);
        environment[i][1] = '=';
        environment[i][VARIABLE - 1] = 0;
    }
    setrlimit(RLIMIT_STACK, &(struct rlimit){512 * 1024, 512 * 1024});
    show_status("an environment", execve("/usr/sbin/ip", words, environment));
    show_status("a shell's", execve("/bin/sh", shell, environment));
}

static void write_script(char* path) {
    static const char text[] = "#!/nonexistent/interpreter\n";
    char* const folder = path + strlen(path) - strlen("/ip");
    *folder = 0;
    mkdtemp(path);
    *folder = '/';
    const int file = open(path, O_WRONLY | O_CREAT, 0755);
    write(file, text, sizeof text - 1);
    close(file);
}

/* As language runtimes do: the child sends errno over a pipe that a successful exec closes. */
static void tell_failure(const char* path) {
    int told[2];
    volatile int error = 0;
    pipe2(told, O_CLOEXEC);
    const pid_t child = fork();
    if (child == 0) {
        execv(path, words);
        error = errno;
        write(told[1], (const void*)&error, sizeof error);
        _exit(1);
    }
    close(told[1]);
    int read_error = 0;
    show("told", read(told[0], &read_error, sizeof read_error));
    show("errno", read_error);
    waitpid(child, NULL, 0);
    close(told[0]);
}

BEHAVIOUR(exec_tells_failure) {
    char script[] = "/tmp/nlsh-battery.XXXXXX/ip";
    write_script(script);
    const char* const files[] = {script, "/nonexistent/ip", "/proc/self/root", "/etc/passwd/ip"};
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        tell_failure(files[i]);
    }
    unlink(script);
    *strrchr(script, '/') = 0;
    rmdir(script);
}

struct sharing {
    char stack[16 * PAGE];
    int opened;
    char* file;
};

static int exec_and_open(void* argument) {
    struct sharing* const sharing = argument;
    execv(sharing->file, words);
    sharing->opened = open("/dev/null", O_RDONLY);
    return 0;
}

/* A process that shares its descriptors still shares them after a failed exec. */
BEHAVIOUR(exec_shared_table) {
    static struct sharing sharing;
    int status = 0;
    char script[] = "/tmp/nlsh-battery.XXXXXX/ip";
    write_script(script);
    sharing.file = script;
    const pid_t child = clone(exec_and_open, sharing.stack + sizeof sharing.stack,
                              CLONE_FILES | CLONE_VM | CLONE_VFORK | SIGCHLD, &sharing);
    waitpid(child, &status, 0);
    show("status", status);
    show("its descriptor is ours", fcntl(sharing.opened, F_GETFD) == 0);
    unlink(script);
    *strrchr(script, '/') = 0;
    rmdir(script);
}
