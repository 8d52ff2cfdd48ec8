#include "shim/builtin/substitution.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "shim/builtin/in_process.h"

static sh_builtin_func_t* ours;
static unsigned forks;

static bool is_tool(const char* command) {
    const char* const end = command + strcspn(command, " \t\n;&|<>()`\"'");
    const char* base = end;
    while (base > command && base[-1] != '/')
        --base;
    const size_t size = (size_t)(end - base);
    return (size == 2 && memcmp(base, "ip", size) == 0) ||
           (size == 6 && memcmp(base, "bridge", size) == 0);
}

/* The command of the next $( ), <( ) or ` `; a closing backquote counts as well. */
static const char* next_substitution(const char* text) {
    while ((text = strpbrk(text, "$<>`")) != NULL) {
        const bool is = *text == '`' || (text[1] == '(' && text[2] != '(');
        text += *text == '`' || !is ? 1 : 2;
        if (is) return text + strspn(text, " \t\n");
    }
    return NULL;
}

/* Whether the child may call `command -v`, itself or in a function. For a builtin bash prints its
 * name, but scripts want a path: [ -x "$(command -v ip)" ]. */
static bool may_ask(const char* text) {
    if (!text) return false;
    if (strstr(text, "command -")) return true;
    for (const char* at = text; (at = next_substitution(at)) != NULL;)
        if (*at && !is_tool(at)) return true;
    return false;
}

/* Loads the engine before the fork, or each child would load it. */
static void before_fork(void) {
    ++forks;
    const char* const text = running_trap ? the_printed_command : the_printed_command_except_trap;
    const char* const at = text ? next_substitution(text) : NULL;
    if (text && is_tool(at ? at : text)) in_process_prepare();
}

/* Before a fork bash may make the environment, and then the_printed_command is an exported
 * function. In a trap only the_printed_command is the trap's. */
static void in_child(void) {
    if (!may_ask(the_printed_command) && !may_ask(the_printed_command_except_trap)) return;
    for (int i = 0; i < num_shell_builtins; ++i)
        if (shell_builtins[i].function == ours) shell_builtins[i].flags &= ~BUILTIN_ENABLED;
}

void substitution_watch(sh_builtin_func_t* function) {
    if (ours) return;
    ours = function;
    pthread_atfork(before_fork, NULL, in_child);
}

unsigned substitution_forks(void) {
    return forks;
}
