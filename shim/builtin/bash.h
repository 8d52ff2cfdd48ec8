/* The parts of bash that the builtin uses: the headers for loadable builtins (Debian's
 * bash-builtins), and declarations that those headers lack. */
#ifndef NLSH_BUILTIN_BASH_H
#define NLSH_BUILTIN_BASH_H

#include <config.h>
/* needs the one above */
#include <builtins.h>
#include <shell.h>
/* needs those above */
#include <execute_cmd.h>
#include <unwind_prot.h>
#include <version.h>

/* builtins/common.h */
extern char* this_command_name;

/* findcmd.h: a path, which the caller frees, or NULL. */
enum { SEARCH_BY_HASH = 1 };
char* search_for_command(const char* name, int flags);

/* flags.h */
extern int restricted;

/* trap.h */
extern int running_trap;
void restore_original_signals(void);

/* sig.h */
void reset_terminating_signals(void);

/* jobs.h: make_child takes the text, as jobs and messages have it. */
pid_t make_child(char* text, int flags);
void stop_pipeline(int asynchronous, COMMAND* deferred);
int wait_for(pid_t process, int flags);

/* execute_cmd.c: a command as written, before its words are expanded. The first is the running
 * trap's, if a trap runs. */
extern char* the_printed_command;
extern char* the_printed_command_except_trap;
extern int executing_command_builtin;
/* The builtin of the previous simple command; NULL: it was none. */
extern sh_builtin_func_t* last_shell_builtin;

#endif
