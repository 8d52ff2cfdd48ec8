/* Lines that nlsh, exec'd in a program's place, has left to that program: nlsh notes them for a
 * minute, and the preload execs the program at once. The memory is a file of the user's own in
 * /dev/shm, because the process that tries the line next is another one. A guess that only costs or
 * saves time: lines with the same hash are taken for one. C17 and C++. */
#ifndef NLSH_WIRE_LAPSE_FILE_H
#define NLSH_WIRE_LAPSE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NLSH_LAPSE_S = 60 }; /* how long a line is remembered */

/* The same for lines that differ in numbers and addresses only. */
uint32_t lapse_hash(const char* line);
bool lapse_is_noted(uint32_t hash);
void lapse_note(uint32_t hash);

#ifdef __cplusplus
}
#endif
#endif
