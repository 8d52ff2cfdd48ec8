/* The calling thread's rights: would an exec of ip, and of its shell, be let through and leave
 * them? */
#ifndef NLSH_PRELOAD_RIGHTS_H
#define NLSH_PRELOAD_RIGHTS_H

#include <stdbool.h>

/* NULL when it would, else the reason. Of a thread that calls popen or system. Ask it before any
 * other system call: a filter may kill who makes one. What a filter, or Landlock, lets through is
 * found out once for each thread: a second one isn't noticed. */
const char* call_rights_refusal(void);
/* The same of a thread that is about to become `file`, of which nothing is remembered. shell: the
 * file is one, whose line may run any of our tools. */
const char* exec_rights_refusal(const char* file, bool shell);
/* The server looks at the main thread's rights, by the process's number. False: the calling thread
 * has others. */
bool has_rights_of_main_thread(void);

#endif
