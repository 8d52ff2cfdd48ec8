/* Notes lines for which nlsh, exec'd in a program's place, fell back to that program. For a minute
 * the preload then execs the program at once. The notes are in a file of the user's in /dev/shm,
 * because another process tries the line next. Lines with the same hash count as one, which costs
 * time only. C17 and C++. */
#ifndef NLSH_WIRE_LAPSE_FILE_H
#define NLSH_WIRE_LAPSE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NLSH_LAPSE_S = 60 }; /* how long a note counts */

/* Equal for lines that differ only in numbers and addresses. */
uint32_t lapse_hash(const char* line);
bool lapse_is_noted(uint32_t hash);
void lapse_note(uint32_t hash);

#ifdef __cplusplus
}
#endif
#endif
