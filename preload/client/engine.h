/* NLSH_ENGINE=inproc: libnlsh-engine.so answers a call in this process, without a server. */
#ifndef NLSH_PRELOAD_ENGINE_H
#define NLSH_PRELOAD_ENGINE_H

#include "preload/client/client.h"

enum engine_answer {
    ENGINE_NONE,      /* not wanted, or there is no library: ask the server */
    ENGINE_DONE,      /* call->status has the wait status */
    ENGINE_DECLINED,  /* nothing has run; call->reason says why */
    ENGINE_ELSEWHERE, /* the same, but a spawned nlsh would run the line natively */
};

/* output: popen's write end, or 1. outputs_open: `output` and stderr are open; otherwise a socket
 * of the engine could get the number of a closed one. */
enum engine_answer engine_ask(struct call* call, enum nlsh_kind kind, const char* line, int output,
                              bool outputs_open);

#endif
