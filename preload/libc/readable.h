/* Whether memory can be read. execve(2) answers EFAULT where it can't; a look at it would kill. */
#ifndef NLSH_PRELOAD_READABLE_H
#define NLSH_PRELOAD_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* To its NUL. One system call for each page. */
bool is_readable_text(const char* text);
/* An argv or an environment: the list to its NULL, and all words. NULL is an empty one. `size`:
 * what exec counts of it, the words with their NULs and a pointer for each. */
bool are_readable_words(char* const* words, size_t* size);

#endif
