/* Notes lines for which a spawned nlsh fell back, so that libc runs them at once the next time.
 * Lines with the same hash count as one, which costs time only. */
#ifndef NLSH_PRELOAD_LAPSES_H
#define NLSH_PRELOAD_LAPSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

bool lapsed_before(uint32_t hash);
/* Checks whether a child that was nlsh became the shell (fell back). The child has ended and isn't
 * reaped yet. */
void lapse_look(pid_t child, uint32_t hash);

#endif
