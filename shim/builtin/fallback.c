#include "shim/builtin/fallback.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

static bool under_way; /* fall_back has called bash, which will call the builtin */

const char* command_as_written(void) {
    return running_trap ? NULL : the_printed_command_except_trap;
}

bool is_fallback(void) {
    const bool is = under_way;
    under_way = false;
    return is;
}

bool wants_standard_path(void) {
    const char* const text = command_as_written();
    return executing_command_builtin && (!text || strstr(text, " -p"));
}

/* Opening and closing a fifo or a named socket is visible at its other end. */
static bool shows_who_opens(int descriptor) {
    enum { ANONYMOUS_PIPE = 0x50495045 };
    struct stat status;
    struct statfs system;
    if (fstat(descriptor, &status) != 0) return true;
    if (S_ISFIFO(status.st_mode))
        return fstatfs(descriptor, &system) != 0 || system.f_type != ANONYMOUS_PIPE;
    return S_ISSOCK(status.st_mode);
}

/* Whether making these redirections twice is the same as once: to files, named by plain words and
 * variables. */
static bool may_be_repeated(const char* redirections) {
    if (noclobber || strstr(redirections, "RANDOM") || strchr(redirections, '<')) return false;
    for (const char* at = redirections; *at; ++at)
        if (!isalnum((unsigned char)*at) && !strchr("_/.-+,@%\"$&> ", *at)) return false;
    return !shows_who_opens(0) && !shows_who_opens(1) && !shows_who_opens(2);
}

/* Bash undoes a builtin's redirections before it runs the file, and makes them again. In a process
 * of the command's own they stay. */
static bool bash_may_go_on(void) {
    if (!unwind_protect_tag_on_stack("saved-redirects")) return true;
    const char* const text = command_as_written();
    if (!text) return false;
    const char* const redirections = strpbrk(text, "<>");
    if (!redirections) return true;
    /* A subshell's only command becomes ip: killing that process must reach ip. */
    return subshell_environment != 0 && may_be_repeated(redirections);
}

/* The same command without redirections, as the `command` builtin makes it. */
static COMMAND* bare_command(const char* name, WORD_LIST* arguments) {
    COMMAND* const command = make_bare_simple_command();
    command->value.Simple->words = make_word_list(make_word(name), copy_word_list(arguments));
    command->value.Simple->redirects = NULL;
    /* The builtin's caller checks once whether the command failed. */
    const int flags = CMD_COMMAND_BUILTIN | CMD_NO_FUNCTIONS | CMD_INHIBIT_EXPANSION |
                      CMD_IGNORE_RETURN | (wants_standard_path() ? CMD_STDPATH : 0);
    command->flags |= flags;
    command->value.Simple->flags |= flags;
    return command;
}

/* The trap has already run for this command. */
static void put_debug_trap_aside(void) {
    if (!signal_is_trapped(DEBUG_TRAP_NUMBER) || signal_is_ignored(DEBUG_TRAP_NUMBER)) return;
    char* const trap = savestring(trap_list[DEBUG_TRAP_NUMBER]);
    add_unwind_protect(xfree, trap);
    add_unwind_protect(maybe_set_debug_trap, trap);
    restore_default_signal(DEBUG_TRAP_NUMBER);
}

/* Bash makes a child and waits for it; the redirections are those in force. */
static int run_again(const char* name, WORD_LIST* arguments) {
    static char frame[] = "nlsh";
    char* const as_written = command_as_written() ? savestring(command_as_written()) : NULL;
    COMMAND* const command = bare_command(name, arguments);
    begin_unwind_frame(frame);
    add_unwind_protect(dispose_command, command);
    put_debug_trap_aside();
    under_way = true;
    const int status = execute_command(command);
    under_way = false;
    run_unwind_frame(frame);
    if (as_written) {
        free(the_printed_command_except_trap);
        the_printed_command_except_trap = as_written;
    }
    return status;
}

int fall_back(const char* name, WORD_LIST* arguments) {
    return bash_may_go_on() ? EX_DISKFALLBACK : run_again(name, arguments);
}
