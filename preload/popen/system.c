/* system(): no heap, no lock, little stack; async-signal-safe as far as libc's is. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "preload/caller/caller.h"
#include "preload/client/client.h"
#include "preload/client/engine.h"
#include "preload/client/match.h"
#include "preload/libc/real.h"
#include "preload/settings/config.h"
#include "preload/settings/trace.h"
#include "preload/spawned/spawned.h"

/* True: the line has run, and the call has the status. False: nothing has run, and call->reason
 * says why. */
static bool run_native(struct call* call, const char* command) {
    call->output = NULL;
    call->line_declined = false;
    call->second_look = false;
    struct outputs outputs;
    call->reason = caller_refusal(command, &outputs);
    if (call->reason) return false;
    const enum engine_answer in_process =
        engine_ask(call, NLSH_SYSTEM, command, 1, outputs.out && outputs.err);
    call->line_declined = in_process == ENGINE_DECLINED;
    if (in_process != ENGINE_NONE) return in_process == ENGINE_DONE;
    if (!call_connect(call)) return false;
    if (!(outputs.out && outputs.err) && !may_lack_outputs(command)) {
        call->reason = "stdout or stderr is closed";
        call->line_declined = true;
        call_close(call);
        return false;
    }
    call->open = outputs.out && outputs.err ? STREAMS_BOTH : STREAMS_NONE;
    call->streams = may_print(command) ? call->open : STREAMS_NONE;
    const enum answer answer = call_ask(call, NLSH_SYSTEM, command);
    if (answer == ANSWER_STREAM) {
        call_give_streams(call, outputs.out ? 1 : -1, outputs.err ? 2 : -1);
        call_finish(call);
    }
    return answer != ANSWER_REAL;
}

__attribute__((noinline)) static int run_real(const char* command, const char* reason,
                                              uint64_t start) {
    const int status = libcs_system(command);
    trace_call(&(struct trace){.kind = "system",
                               .has_status = true,
                               .status = status,
                               .start = start,
                               .detail = reason,
                               .command = command});
    return status;
}

/* Spawns nlsh, which writes the trace itself. False: nothing has run. */
__attribute__((noinline)) static bool run_spawned(struct call* call, const char* command,
                                                  int cancelability, int* status) {
    struct spawned spawned;
    const char* const function = call->second_look ? "system+" : "system";
    if (call->line_declined || !spawned_prepare(&spawned, function, command, call->reason))
        return false;
    return spawned_system(&spawned, cancelability, status);
}

__attribute__((visibility("default"))) int system(const char* command) {
    if (!command) return real_system(command);
    const uint64_t start = trace_clock();
    if (config()->disabled) return run_real(command, "disabled", start);
    if (!(config()->mock ? !config()->exec : may_be_ours(command)))
        return run_real(command, "no ip or bridge", start);
    pthread_testcancel();
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    const int error = errno;
    struct call call;
    const bool native = run_native(&call, command);
    errno = error;
    int spawned_status;
    const bool spawned = !native && run_spawned(&call, command, cancelability, &spawned_status);
    if (!spawned || spawned_status != -1) errno = error;
    pthread_setcancelstate(cancelability, NULL);
    if (spawned) return spawned_status;
    if (!native) return run_real(command, call.reason, start);
    child_has_ended();
    const int status = children_are_reaped() ? -1 : call.status;
    if (status == -1) errno = ECHILD;
    trace_call(&(struct trace){.kind = "system",
                               .native = true,
                               .has_status = true,
                               .status = status,
                               .start = start,
                               .detail = call.text,
                               .way = call.way,
                               .command = command});
    pthread_testcancel(); /* libc's system() is cancelled while it waits */
    return status;
}
