// What the C programs run, each command by its own way: pid_t start(words).
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start(char* const* words);

static void run(char* const* words) {
    int status = 0;
    const pid_t child = start(words);
    if (child == -1) return;
    waitpid(child, &status, 0);
    printf("status %d\n", status);
    fflush(stdout);
}

int main(void) {
    run((char*[]){"ip", "link", "set", "v0", "master", "br0", NULL});
    run((char*[]){"ip", "addr", "add", "10.9.1.1/24", "dev", "br0", NULL});
    run((char*[]){"/sbin/ip", "-br", "addr", "show", "dev", "br0", NULL});
    run((char*[]){"ip", "link", "set", "nosuch", "up", NULL});
    run((char*[]){"sh", "-c", "ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9", NULL});
    return 0;
}
