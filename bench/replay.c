/* The floor of a batch: bench_replay REQUESTS GROUP sends recorded requests once, GROUP of them
 * with each system call, and prints the microseconds of all. */
#include <stdlib.h>

#include "bench/measure.h"

int main(int argc, char** argv) {
    if (argc != 3) fail("usage: bench_replay REQUESTS GROUP");
    struct requests* requests = requests_read(argv[1]);
    const size_t group = strtoul(argv[2], NULL, 10);
    const double start = now_us();
    requests_send_groups(requests, group);
    printf("%.1f\n", now_us() - start);
    return 0;
}
