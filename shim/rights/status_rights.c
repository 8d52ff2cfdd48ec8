/* Parses /proc/PID/status (proc_pid_status(5)) for exec_rights.h. */
#include <stdlib.h>
#include <string.h>

#include "shim/rights/exec_rights.h"

/* The text after a field's name. A process can't forge a field: the kernel escapes newlines in
 * names. */
static const char* field(const char* status, const char* name) {
    const char* const found = strstr(status, name);
    return found ? found + strlen(name) : NULL;
}

static bool read_set(const char* status, const char* name, uint64_t* set) {
    const char* const text = field(status, name);
    if (text) *set = strtoull(text, NULL, 16);
    return text != NULL;
}

static bool read_ids(const char* status, const char* name, struct exec_ids* ids) {
    const char* text = field(status, name);
    uint32_t* const each[] = {&ids->real, &ids->effective, &ids->saved, &ids->files};
    for (size_t i = 0; text && i < sizeof each / sizeof *each; ++i) {
        char* end;
        *each[i] = (uint32_t)strtoul(text, &end, 10);
        text = end != text ? end : NULL;
    }
    return text != NULL;
}

bool exec_rights_of_status(const char* status, struct exec_rights* rights) {
    *rights = (struct exec_rights){0};
    uint64_t no_new_privs = 0;
    const bool complete = read_ids(status, "\nUid:", &rights->user) &&
                          read_ids(status, "\nGid:", &rights->group) &&
                          read_set(status, "\nCapInh:", &rights->inheritable) &&
                          read_set(status, "\nCapPrm:", &rights->permitted) &&
                          read_set(status, "\nCapEff:", &rights->effective) &&
                          read_set(status, "\nCapBnd:", &rights->bounding) &&
                          read_set(status, "\nCapAmb:", &rights->ambient) &&
                          read_set(status, "\nNoNewPrivs:", &no_new_privs);
    rights->no_new_privs = no_new_privs != 0;
    return complete;
}
