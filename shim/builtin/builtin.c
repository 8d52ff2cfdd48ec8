/* nlsh-builtin.so: ip and bridge as builtins of bash (packaging/docs/bash.md). `enable -f` loads it
 * into bash. Any doubt leads to a fallback (fallback.h). */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "shim/builtin/bash.h"
#include "shim/builtin/fallback.h"
#include "shim/builtin/in_process.h"
#include "shim/builtin/substitution.h"

enum {
    WORDS_MAX = 256,
    /* Any exec takes a string, and strings together, up to this size. Beyond it the real ip may not
     * even start. */
    EXEC_MAX = 128 * 1024,
};

/* The size of strings for an exec; more than EXEC_MAX: one is too long. */
static size_t size_of(char* const* strings) {
    size_t size = 0;
    for (; *strings && size <= EXEC_MAX; ++strings)
        size += strlen(*strings) + 1 + sizeof *strings;
    return size;
}

/* False: an exec may refuse so many words. */
static bool gather(char* name, WORD_LIST* arguments, char* words[WORDS_MAX]) {
    size_t count = 0;
    words[count++] = name;
    for (const WORD_LIST* each = arguments; each; each = each->next) {
        if (count == WORDS_MAX - 1) return false;
        words[count++] = each->word->word;
    }
    words[count] = NULL;
    return size_of(words) + size_of(export_env) <= EXEC_MAX;
}

/* Finds the file as bash does. `command -p` searches elsewhere, and a restricted shell may refuse
 * the file. */
static char* find_file(const char* name, const char* text) {
    const bool elsewhere = executing_command_builtin && (!text || strstr(text, " -p"));
    return restricted || elsewhere ? NULL : search_for_command(name, SEARCH_BY_HASH);
}

/* Whether the script may have changed files, or the process, since our last command. */
static bool may_have_changed(sh_builtin_func_t* ours, const char* text) {
    static bool redirected = true;
    static unsigned forks;
    const bool before = redirected || last_shell_builtin != ours || forks != substitution_forks();
    forks = substitution_forks();
    redirected = !text || strchr(text, '>');
    return before || redirected;
}

static int run(WORD_LIST* arguments) {
    const char* const text = running_trap ? NULL : the_printed_command_except_trap;
    const bool doubt = may_have_changed(run, text);
    char* const name = this_command_name;
    char* words[WORDS_MAX];
    char* const file = find_file(name, text);
    int status;
    maybe_make_export_env();
    const bool done = file && gather(name, arguments, words) &&
                      in_process_run(file, (const char* const*)words, doubt, &status);
    if (!done) status = fall_back(file, name, arguments, text);
    free(file);
    return status;
}

int load(char* name);

/* Bash calls this before it adds the builtin `name`. 0: don't add it. */
int load(char* name) {
    (void)name;
    /* The headers match only the tables of one version of bash. */
    if (strcmp(dist_version, DISTVERSION) != 0) return 0;
    substitution_watch(run);
    return 1;
}

static char* const document[] = {
    "iproute2's command, in the shell's own process where nlsh knows it.", NULL};

/* Bash looks up NAME_struct and NAME_builtin_load, even if NAME isn't a C identifier. */
#define CALLED(symbol, id) __asm__(".globl \"" symbol "\"\n.set \"" symbol "\", " #id)
#define BUILTIN(id, name_)                                                  \
    extern struct builtin id;                                               \
    struct builtin id = {.name = name_,                                     \
                         .function = run,                                   \
                         .flags = BUILTIN_ENABLED,                          \
                         .long_doc = document,                              \
                         .short_doc = name_ " [ OPTIONS ] OBJECT COMMAND"}; \
    CALLED(name_ "_struct", id);                                            \
    CALLED(name_ "_builtin_load", load)

BUILTIN(ip, "ip");
BUILTIN(sbin_ip, "/sbin/ip");
BUILTIN(bin_ip, "/bin/ip");
BUILTIN(usr_sbin_ip, "/usr/sbin/ip");
BUILTIN(usr_bin_ip, "/usr/bin/ip");
BUILTIN(bridge, "bridge");
BUILTIN(sbin_bridge, "/sbin/bridge");
BUILTIN(usr_sbin_bridge, "/usr/sbin/bridge");
