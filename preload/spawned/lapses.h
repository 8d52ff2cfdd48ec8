/* Lines that a spawned nlsh has left to the shell: the next time they go there at once. A guess
 * that only costs or saves time: lines with the same hash are taken for one. */
#ifndef NLSH_PRELOAD_LAPSES_H
#define NLSH_PRELOAD_LAPSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

bool lapsed_before(uint32_t hash);
/* The child, which has ended but isn't waited for yet, was nlsh; has it become the shell? */
void lapse_look(pid_t child, uint32_t hash);

#endif
