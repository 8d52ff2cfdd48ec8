/* The functions that ours stand before, found without a lock and without writing anything: exec is
 * called in the child of a fork, where another thread's lock is never released, and of a vfork,
 * whose memory is its parent's. */
#ifndef NLSH_PRELOAD_NEXT_H
#define NLSH_PRELOAD_NEXT_H

int next_execve(const char* path, char* const* arguments, char* const* environment);
int next_execvpe(const char* file, char* const* arguments, char* const* environment);

#endif
