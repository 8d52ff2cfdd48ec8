/* Settings, read from the environment once, when the library is loaded. */
#ifndef NLSH_PRELOAD_CONFIG_H
#define NLSH_PRELOAD_CONFIG_H

#include <stdbool.h>

struct config {
    bool disabled;       /* NLSH_DISABLE is set to anything but "" and "0" */
    bool inproc;         /* NLSH_ENGINE=inproc: no server, libnlsh-engine.so answers (engine.h) */
    bool mock;           /* NLSH_MOCK: of `nlsh mock` and `nlsh record`, see caller_refusal */
    bool exec;           /* answer exec and posix_spawn, too; off with NLSH_EXEC=0. NLSH_MOCK=exec
                            answers only these, other values of NLSH_MOCK all but these */
    bool sigchld;        /* NLSH_SIGCHLD is set, as above: raise SIGCHLD after a native call */
    const char* engine;  /* NLSH_ENGINE_LIBRARY, in the environment; NULL: beside this library */
    const char* program; /* NLSH_PROGRAM, in the environment: the nlsh that is spawned; NULL: the
                            installed one */
    int timeout_ms;      /* NLSH_TIMEOUT_MS: how long to wait for a server that reads nothing */
    char socket[96];     /* NLSH_SOCKET: the prefix, to which ".CPU" is appended */
    char trace[192];     /* NLSH_TRACE: a file, "" for none */
};

/* Valid before the constructor has run, with the defaults. */
const struct config* config(void);

#endif
