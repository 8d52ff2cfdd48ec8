/* nlsh-builtin.so: ip and bridge as builtins of bash (packaging/docs/bash.md). `enable -f` loads it
 * into bash. Any doubt leads to a fallback (fallback.h). */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "shim/builtin/bash.h"
#include "shim/builtin/between.h"
#include "shim/builtin/fallback.h"
#include "shim/builtin/hiding.h"
#include "shim/builtin/in_process.h"

enum { WORDS_MAX = 256 };

/* False: the argv is too long. */
static bool gather(char* name, WORD_LIST* arguments, const char* words[WORDS_MAX]) {
    size_t count = 0;
    words[count++] = name;
    for (const WORD_LIST* each = arguments; each; each = each->next) {
        if (count == WORDS_MAX - 1) return false;
        words[count++] = each->word->word;
    }
    words[count] = NULL;
    return true;
}

/* Finds the file as bash does, which counts the search. A restricted shell may refuse it. */
static char* find_file(const char* name) {
    return restricted || wants_standard_path() ? NULL : search_for_command(name, SEARCH_BY_HASH);
}

/* bash will search once more when it runs the file. */
static void uncount(const char* name) {
    BUCKET_CONTENTS* const hashed =
        hashed_filenames ? hash_search(name, hashed_filenames, 0) : NULL;
    if (hashed && hashed->times_found > 0) --hashed->times_found;
}

static int run(WORD_LIST* arguments) {
    if (is_fallback()) return EX_DISKFALLBACK;
    const bool doubt = between_may_have_changed();
    char* const name = this_command_name;
    const char* words[WORDS_MAX];
    char* const file = find_file(name);
    int status;
    maybe_make_export_env();
    const bool done =
        file && gather(name, arguments, words) && in_process_run(file, words, doubt, &status);
    if (file && !done) uncount(name);
    free(file);
    return done ? status : fall_back(name, arguments);
}

int load(char* name);

/* Bash calls this before it takes a builtin of that name. 0: don't take it. */
int load(char* name) {
    (void)name;
    /* The headers match the layout of this bash's tables only. */
    if (strcmp(dist_version, DISTVERSION) != 0) return 0;
    hide_builtins(run);
    between_watch(run);
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
