/* What the builtin uses of bash: its headers for loadable builtins (Debian's bash-builtins), and
 * declarations that they lack. */
#ifndef NLSH_BUILTIN_BASH_H
#define NLSH_BUILTIN_BASH_H

#include <config.h>
/* needs the one above */
#include <builtins.h>
#include <hashlib.h>
#include <shell.h>
/* needs those above */
#include <execute_cmd.h>
#include <unwind_prot.h>
#include <version.h>

/* builtins/common.h */
struct builtin* builtin_address_internal(char* name, int disabled_okay);
extern char* this_command_name;

/* findcmd.h: a path, which the caller frees, or NULL. */
enum { SEARCH_BY_HASH = 1 };
char* search_for_command(const char* name, int flags);
/* hashcmd.h */
extern HASH_TABLE* hashed_filenames;

/* flags.h */
extern int noclobber;
extern int restricted;

/* trap.h */
enum { DEBUG_TRAP_NUMBER = NSIG };
extern int running_trap;
extern char* trap_list[];
int signal_is_trapped(int number);
int signal_is_ignored(int number);
void restore_default_signal(int number);
void maybe_set_debug_trap(char* command);

/* execute_cmd.c: a command as written, before its words are expanded. The first is the running
 * trap's, if a trap runs. */
extern char* the_printed_command;
extern char* the_printed_command_except_trap;
extern int executing_command_builtin;
/* The builtin of the previous simple command; NULL: it was none. */
extern sh_builtin_func_t* last_shell_builtin;

#endif
