/* NLSH_ENGINE=inproc: libnlsh-engine.so answers a call in this process, without a server. */
#ifndef NLSH_PRELOAD_ENGINE_H
#define NLSH_PRELOAD_ENGINE_H

#include "preload/client/client.h"

enum engine_answer {
    ENGINE_NONE,      /* not wanted, or there is no library: ask the server */
    ENGINE_DONE,      /* call->status has the wait status */
    ENGINE_DECLINED,  /* nothing has run; call->reason says why */
    ENGINE_ELSEWHERE, /* the same, but a spawned nlsh would run it natively */
};

/* output: popen's write end, or 1. outputs_open: it and stderr are open; otherwise a socket of the
 * engine could get a closed one's number. The library is loaded when the program starts, never
 * later. */
enum engine_answer engine_ask(struct call* call, enum nlsh_kind kind, const char* line, int output,
                              bool outputs_open);

#endif
