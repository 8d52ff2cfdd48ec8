/* Part of versions.bats: library_caller inproc|server. Built with one release's header and run with
 * another's libnlsh. Prints what each line gave. */
#include <stdio.h>
#include <string.h>

#include "nlsh.h"

static void tell(const char* line, int status, const struct nlsh_result* r) {
    printf("[%s] status %d\n", line, status);
    if (!r) return;
    printf("status %d output %zu [%s] error %zu [%s]\n", r->status, r->output_size, r->output,
           r->error_size, r->error);
}

int main(int argc, char** argv) {
    static const char* const lines[] = {
        "ip link set v0 mtu 1400 up",
        "ip -d link show v0",
        "ip link set nosuch up",
        "ip addr show dev lo",
        "ip link set v0 nosuchword",
        "ip link show nosuch || exit 4",
        "echo 1 > /proc/sys/net/ipv4/conf/v0/forwarding",
    };
    const int inproc = argc > 1 && strcmp(argv[1], "inproc") == 0;
    struct nlsh_handle* const nlsh = nlsh_open(inproc ? NLSH_IN_PROCESS : NLSH_BY_SERVER, NULL);
    if (!nlsh) return 2;
    unsigned native = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        struct nlsh_result* result = NULL;
        const int status = nlsh_run(nlsh, &result, lines[i]);
        tell(lines[i], status, result);
        native += result && !result->fallback;
        nlsh_free(result);
    }
    struct nlsh_result* result = NULL;
    const int status = nlsh_runf(nlsh, &result, "ip link set dev %s mtu %d", "v1", 1300);
    tell("formatted", status, result);
    nlsh_free(result);
    nlsh_close(nlsh);
    printf("native: %u of %zu\n", native, sizeof lines / sizeof *lines);
    return 0;
}
