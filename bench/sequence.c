/* A daemon that configures: bench_sequence popen|system FILE runs each line of FILE once, one after
 * the other, and prints the microseconds of each as a JSON list. Run it with or without the
 * preload. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure.h"

int main(int argc, char** argv) {
    if (argc != 3) fail("usage: bench_sequence popen|system FILE");
    unsetenv("LD_PRELOAD");
    bool (*const run)(const char*) = strcmp(argv[1], "popen") == 0 ? by_popen : by_system;
    FILE* file = fopen(argv[2], "r");
    if (!file) fail(argv[2]);
    char* line = NULL;
    size_t size = 0;
    ssize_t length;
    const char* separator = "[";
    while ((length = getline(&line, &size, file)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        const double start = now_us();
        if (!run(line)) fail(line);
        printf("%s%.1f", separator, now_us() - start);
        separator = ", ";
    }
    printf("]\n");
    free(line);
    return fclose(file) != 0;
}
