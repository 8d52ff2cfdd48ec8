/* A binary, as ip is, that execs the script beside it: FILE execs FILE.sh. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
    static char script[PATH_MAX];
    char* words[64] = {"sh", script};
    const ssize_t size = readlink("/proc/self/exe", script, sizeof script - sizeof ".sh");
    if (size < 0 || argc > 60) return 99;
    strcpy(script + size, ".sh");
    memcpy(words + 2, argv + 1, (size_t)argc * sizeof *argv);
    execv("/bin/sh", words);
    return 99;
}
