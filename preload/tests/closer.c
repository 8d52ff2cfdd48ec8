/* closer TIMES FIRST LAST: calls while another thread closes all descriptors from FIRST to LAST,
 * again and again. Prints how many popens of a show had the wrong text or status, and how often
 * system() returned each wait status other than 0. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool done;
static int first, last;

static void* close_all(void* unused) {
    while (!done)
        for (int number = first; number <= last; ++number)
            close(number);
    return unused;
}

static int show_is_wrong(void) {
    char text[4096];
    FILE* const stream = popen("ip -br link show lo 2>&1", "r");
    if (!stream) return 1;
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    return pclose(stream) != 0 || strncmp(text, "lo ", 3) != 0;
}

int main(int argc, char** argv) {
    pthread_t closer;
    int shows = 0, killed = 0, others = 0;
    if (argc != 4) return 2;
    first = atoi(argv[2]);
    last = atoi(argv[3]);
    pthread_create(&closer, NULL, close_all, NULL);
    for (long left = atol(argv[1]); left > 0; --left) {
        shows += show_is_wrong();
        const int status = system("ip link set lo mtu 65536");
        killed += status == 137 << 8;
        others += status != 0 && status != 137 << 8;
    }
    done = true;
    pthread_join(closer, NULL);
    printf("shows %d killed %d others %d\n", shows, killed, others);
    return 0;
}
