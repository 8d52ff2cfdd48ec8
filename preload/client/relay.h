/* Pipes in place of a user's outputs. The server writes for a user to pipes and /dev/null only: to
 * a socket or a file it would show itself as the writer. The program itself writes on what comes
 * out of the pipes. */
#ifndef NLSH_PRELOAD_RELAY_H
#define NLSH_PRELOAD_RELAY_H

#include <stdbool.h>

enum { RELAY_OUTPUTS = 2 };

struct relay {
    bool used;
    int given[RELAY_OUTPUTS]; /* for the server: the program's own output, or a pipe's end */
    int ends[RELAY_OUTPUTS];  /* the other end; -1: no pipe */
    int to[RELAY_OUTPUTS];
};

/* outputs: in ascending order, perhaps the same twice. Nobody reads the pipes before the answer, so
 * they are made only for a line that prints little. False: one output can't be relayed; nothing is
 * open. */
bool relay_begin(struct relay* relay, const int outputs[RELAY_OUTPUTS], const char* line);
/* After the server's answer: writes what has come, and closes the pipes. */
void relay_end(struct relay* relay);

#endif
