#include "shim/builtin/fallback.h"

#include <signal.h>
#include <sys/prctl.h>

/* Runs in the child. */
static _Noreturn void become(char* file, const char* name, WORD_LIST* arguments) {
    WORD_LIST* const words = make_word_list(make_word(name), arguments);
    reset_terminating_signals();
    restore_original_signals();
    /* Without the builtin, the subshell would have become ip: a kill of the subshell must end
     * ip. */
    if (subshell_environment != 0) prctl(PR_SET_PDEATHSIG, SIGTERM);
    exit(shell_execve(file, strvec_from_word_list(words, 0, 0, NULL), export_env));
}

/* Bash would undo a builtin's redirections before it runs the file, and make them again: a file
 * would be emptied twice, and a fifo's reader would see its end. */
int fall_back(char* file, const char* name, WORD_LIST* arguments, const char* text) {
    if (!file || !unwind_protect_tag_on_stack("saved-redirects")) return EX_DISKFALLBACK;
    const pid_t child = make_child(savestring(text ? text : name), 0);
    if (child == 0) become(file, name, arguments);
    stop_pipeline(0, NULL);
    return wait_for(child, 0);
}
