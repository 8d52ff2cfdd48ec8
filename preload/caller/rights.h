/* Whether an exec of ip, and of its shell, would succeed and keep the calling thread's rights. */
#ifndef NLSH_PRELOAD_RIGHTS_H
#define NLSH_PRELOAD_RIGHTS_H

#include <stdbool.h>

/* NULL if it would, otherwise the reason; for a thread that calls popen or system. Call it before
 * any other system call, because a filter may kill. Filters and Landlock are probed once for each
 * thread: a second one isn't noticed. */
const char* call_rights_refusal(void);
/* The same for a thread that is about to become `file`; nothing is cached. shell: the file is a
 * shell, whose line may run any of our tools. */
const char* exec_rights_refusal(const char* file, bool shell);
/* The server inspects the main thread's rights, by the process's number. False: the calling thread
 * has other rights. */
bool has_rights_of_main_thread(void);

#endif
