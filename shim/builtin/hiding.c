#include "shim/builtin/hiding.h"

#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "shim/builtin/in_process.h"

static sh_builtin_func_t* ours; /* NULL: nothing is hidden */
static bool forked;

/* bash's own functions that hide_builtins replaces. */
static struct {
    sh_builtin_func_t* type;
    sh_builtin_func_t* hash;
} shown_by;

enum { BUILTINS_MAX = 16 };

/* Our disabled builtins, in the order of bash's table. */
struct hidden {
    struct builtin* builtins[BUILTINS_MAX];
    int count;
};

static struct hidden hide(void) {
    struct hidden hidden = {.count = 0};
    for (int i = 0; i < num_shell_builtins && hidden.count < BUILTINS_MAX; ++i) {
        struct builtin* const each = &shell_builtins[i];
        if (each->function != ours || !(each->flags & BUILTIN_ENABLED)) continue;
        each->flags &= ~BUILTIN_ENABLED;
        hidden.builtins[hidden.count++] = each;
    }
    return hidden;
}

static int without_ours(sh_builtin_func_t* function, WORD_LIST* arguments) {
    const struct hidden hidden = hide();
    const int status = function(arguments);
    for (int i = 0; i < hidden.count; ++i)
        hidden.builtins[i]->flags |= BUILTIN_ENABLED;
    return status;
}

static int type_without_ours(WORD_LIST* arguments) {
    return without_ours(shown_by.type, arguments);
}

static int hash_without_ours(WORD_LIST* arguments) {
    return without_ours(shown_by.hash, arguments);
}

static sh_builtin_func_t* replace(char* name, sh_builtin_func_t* function) {
    struct builtin* const builtin = builtin_address_internal(name, 1);
    sh_builtin_func_t* const before = builtin->function;
    builtin->function = function;
    return before;
}

/* Whether a word is ip, bridge, or a path that ends so. */
static bool is_tool(const char* word) {
    const size_t length = strcspn(word, " \t\n;&|<>()`\"'");
    const char* base = word;
    for (const char* at = word; at < word + length; ++at)
        if (*at == '/') base = at + 1;
    const size_t rest = length - (size_t)(base - word);
    return (rest == 2 && strncmp(base, "ip", 2) == 0) ||
           (rest == 6 && strncmp(base, "bridge", 6) == 0);
}

/* The text behind the beginning of the next $( ), ` ` or <( ); NULL: there is none. */
static const char* next_substitution(const char* text, bool* in_backquotes) {
    for (const char* at = text; *at; ++at) {
        if (*at == '`') {
            *in_backquotes = !*in_backquotes;
            if (*in_backquotes) return at + 1;
        }
        if ((*at == '$' || *at == '<' || *at == '>') && at[1] == '(' && at[2] != '(') return at + 2;
    }
    return NULL;
}

/* Bash finds a builtin for any caller, and `command` can't be replaced, because bash's way of
 * forking depends on its address. A child puts its output into variables, and its command stands
 * here as written. That command may run a function that asks. */
static bool may_ask(const char* text) {
    bool in_backquotes = false;
    if (strstr(text, "command -")) return true;
    for (const char* at = text; (at = next_substitution(at, &in_backquotes)) != NULL;) {
        while (isspace((unsigned char)*at))
            ++at;
        if (!is_tool(at)) return true;
    }
    return false;
}

/* Load now what children would otherwise load one by one. */
static void before_fork(void) {
    forked = true;
    bool in_backquotes = false;
    const char* const text = the_printed_command;
    const char* const at = text ? next_substitution(text, &in_backquotes) : NULL;
    if (text && is_tool(at ? at : text)) in_process_prepare();
}

static void in_child(void) {
    if (the_printed_command && may_ask(the_printed_command)) hide();
}

bool has_forked(void) {
    const bool has = forked;
    forked = false;
    return has;
}

void hide_builtins(sh_builtin_func_t* function) {
    static char type[] = "type", hash[] = "hash";
    if (ours) return;
    ours = function;
    shown_by.type = replace(type, type_without_ours);
    shown_by.hash = replace(hash, hash_without_ours);
    pthread_atfork(before_fork, NULL, in_child);
}
