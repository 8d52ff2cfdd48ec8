/* bench_spawn TIMES WORD…: runs the command so often, by posix_spawnp. */
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    for (long left = atol(argv[1]); left > 0; --left) {
        pid_t child;
        int status;
        if (posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ) != 0) return 1;
        if (waitpid(child, &status, 0) != child || status != 0) return 1;
    }
    return 0;
}
