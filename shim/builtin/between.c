#include "shim/builtin/between.h"

#include <string.h>

#include "shim/builtin/fallback.h"
#include "shim/builtin/hiding.h"

static sh_builtin_func_t* ours;
static sh_builtin_func_t* bashs_test;
static bool changed; /* since our last command */

static int watched_test(WORD_LIST* arguments);

static bool is_harmless(sh_builtin_func_t* builtin) {
    return builtin == ours || builtin == watched_test;
}

/* Whether output goes to a file that other commands may read. */
static bool is_redirected(void) {
    const char* const text = command_as_written();
    return !text || strchr(text, '>');
}

/* Whether the test depends on files that others may have changed: -e FILE, A -nt B. */
static bool looks_at_files(const WORD_LIST* arguments) {
    static const char of_files[] = "abcdefghkprstuwxGLNOS";
    for (const WORD_LIST* each = arguments; each; each = each->next) {
        const char* const word = each->word->word;
        if (word[0] != '-' || !word[1]) continue;
        if (word[2]
                ? strcmp(word, "-nt") == 0 || strcmp(word, "-ot") == 0 || strcmp(word, "-ef") == 0
                : strchr(of_files, word[1]) != NULL)
            return true;
    }
    return false;
}

/* Called when one of our commands, or a `test`, begins. */
static void look_back(void) {
    if (!is_harmless(last_shell_builtin) || is_redirected()) changed = true;
}

static int watched_test(WORD_LIST* arguments) {
    look_back();
    if (looks_at_files(arguments)) changed = true;
    return bashs_test(arguments);
}

static void watch_test(char* name) {
    struct builtin* const builtin = builtin_address_internal(name, 1);
    bashs_test = builtin->function;
    builtin->function = watched_test;
}

void between_watch(sh_builtin_func_t* function) {
    static char test[] = "test", bracket[] = "[";
    if (ours) return;
    ours = function;
    watch_test(test);
    watch_test(bracket);
}

bool between_may_have_changed(void) {
    look_back();
    const bool forked = has_forked();
    const bool has = changed || forked;
    changed = is_redirected(); /* by this command */
    return has;
}
