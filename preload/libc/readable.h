/* Whether memory can be read, without a fault: execve(2) answers EFAULT for unreadable memory. */
#ifndef NLSH_PRELOAD_READABLE_H
#define NLSH_PRELOAD_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Checks up to the NUL, with one system call for each page. */
bool is_readable_text(const char* text);
/* An argv or environment: the list up to NULL, and all words. NULL is an empty list. `size`: its
 * size as exec counts it, words with their NULs and a pointer for each. */
bool are_readable_words(char* const* words, size_t* size);

#endif
