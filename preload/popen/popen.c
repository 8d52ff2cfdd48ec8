/* popen(). Unlike the library's other functions, it uses the heap. */
#include "preload/popen/popen.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/caller/caller.h"
#include "preload/caller/inherited.h"
#include "preload/client/client.h"
#include "preload/client/engine.h"
#include "preload/client/kept.h"
#include "preload/client/match.h"
#include "preload/libc/real.h"
#include "preload/popen/table.h"
#include "preload/settings/config.h"
#include "preload/settings/trace.h"
#include "preload/spawned/spawned.h"

/* A native popen's resources, allocated before the command is sent: after that, a failure can't
 * fall back any more. */
struct preparation {
    struct call call;
    int slot;
    int read_end;
    int write_end;
    bool has_error; /* descriptor 2 is open */
    FILE* file;
};

static void undo(struct preparation* prepared) {
    call_close(&prepared->call);
    if (prepared->slot >= 0) table_release(prepared->slot);
    if (prepared->write_end >= 0) close(prepared->write_end);
    if (prepared->file) {
        real_fclose(prepared->file);
    } else if (prepared->read_end >= 0) {
        close(prepared->read_end);
    }
    free(prepared->call.output);
}

void popen_free(char* buffer) {
    free(buffer);
}

/* The buffer that receives the answer becomes the stream's buffer. stdio would allocate one of the
 * same size, and ask the kernel for that size (a pipe's st_blksize). */
static const char* buffer_stream(struct preparation* prepared) {
    enum { PIPE_BLOCK = 4096 };
    prepared->call.output = malloc(NLSH_OUTPUT_MAX + NLSH_TEXT_MAX);
    if (!prepared->call.output) return "no memory";
    setvbuf(prepared->file, prepared->call.output, _IOFBF, PIPE_BLOCK);
    return NULL;
}

/* Why the call falls back; NULL: prepared. */
static const char* prepare_pipe(struct preparation* prepared, const char* command) {
    struct outputs outputs;
    const char* refusal = caller_refusal(command, &outputs);
    if (refusal) return refusal;
    prepared->slot = table_reserve();
    if (prepared->slot < 0) return "too many streams";
    /* The pipe first, as in libc: its ends get the lowest free numbers. */
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
    prepared->read_end = ends[0];
    prepared->write_end = ends[1];
    /* If 0 or 1 is closed (as in pptp), the pipe's ends get these numbers, and the child's shell
     * still has its stdout. If 2 is closed, errors have nowhere to go. */
    prepared->has_error = outputs.err;
    prepared->call.line_declined = !prepared->has_error && !may_lack_outputs(command);
    if (prepared->call.line_declined) return "stderr is closed";
    prepared->call.streams = STREAMS_NONE;
    prepared->call.open = prepared->has_error ? STREAMS_ERROR : STREAMS_NONE;
    prepared->file = fdopen(ends[0], "r");
    return prepared->file ? buffer_stream(prepared) : "no memory";
}

/* The program expects its next descriptor to follow the pipe's: move ours to a high number. */
static void keep_for_pclose(struct call* call, struct stream* stream) {
    const int high = fcntl(call->socket, F_DUPFD_CLOEXEC, 100);
    if (high >= 0) call_close(call);
    stream->socket = high >= 0 ? high : call_release(call);
    stream->cookie = call_cookie(stream->socket);
}

/* False: nothing has run, and prepared->call.reason says why. */
static bool ask_server(struct preparation* prepared, const char* command, struct stream* stream) {
    struct call* call = &prepared->call;
    if (!call_connect(call)) return false;
    switch (call_ask(call, NLSH_POPEN, command)) {
        case ANSWER_REAL:
            return false;
        case ANSWER_DONE:
            /* The pipe is empty and holds at least a page: this neither blocks nor raises SIGPIPE.
             */
            inherited_write(prepared->write_end, call->output, call->output_size);
            break;
        case ANSWER_STREAM:
            call_give_streams(call, prepared->write_end, prepared->has_error ? 2 : -1);
            keep_for_pclose(call, stream);
            break;
    }
    return true;
}

/* NULL: nothing has run, and prepared->call.reason says why. */
static FILE* open_native(struct preparation* prepared, const char* command, bool cloexec,
                         bool* streams) {
    struct call* call = &prepared->call;
    call->reason = prepare_pipe(prepared, command);
    if (call->reason) return NULL;
    struct stream stream = {.descriptor = prepared->read_end,
                            .owner = kept_process(),
                            .socket = -1,
                            .reaped = children_are_reaped()};
    const enum engine_answer answer =
        engine_ask(call, NLSH_POPEN, command, prepared->write_end, prepared->has_error);
    call->line_declined = answer == ENGINE_DECLINED;
    if (answer == ENGINE_DECLINED || answer == ENGINE_ELSEWHERE) return NULL;
    if (answer == ENGINE_NONE && !ask_server(prepared, command, &stream)) return NULL;
    *streams = stream.socket >= 0;
    stream.status = call->status;
    stream.buffer = call->output;
    close(prepared->write_end);
    if (!cloexec) fcntl(prepared->read_end, F_SETFD, 0);
    table_publish(prepared->slot, prepared->file, &stream);
    return prepared->file;
}

static FILE* open_libcs(const char* command, const char* mode) {
    struct hidden hidden;
    table_hide(&hidden);
    FILE* file = real_popen(command, mode);
    if (!file && (errno == EMFILE || errno == ENFILE) && kept_forget())
        file = real_popen(command, mode);
    table_unhide(&hidden);
    /* The program closed an earlier stream of ours at this address without fclose. */
    struct stream stale;
    if (table_take(file, &stale)) popen_free(stale.buffer);
    if (file) table_note(file);
    return file;
}

static FILE* open_real(const char* command, const char* mode, const char* reason, uint64_t start) {
    FILE* file = open_libcs(command, mode);
    trace_call(
        &(struct trace){.kind = "popen", .start = start, .detail = reason, .command = command});
    return file;
}

/* Spawns nlsh, which writes the trace itself. NULL: nothing has run. */
static FILE* open_spawned(struct call* call, const char* command, const char* mode) {
    struct spawned spawned;
    const char* const function = call->second_look ? "popen+" : "popen";
    if (call->line_declined || !spawned_prepare(&spawned, function, command, call->reason))
        return NULL;
    return spawned_popen(&spawned, mode);
}

/* For a batch, which reads its lines from the stream: starts a child that runs them natively. */
static FILE* open_for_writing(const char* command, const char* mode, uint64_t start) {
    struct call call = {.socket = -1};
    const int error = errno;
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    call.reason = caller_refusal(command, NULL);
    const bool replaced = !call.reason && call_connect_anew(&call) && call_replace(&call, command);
    FILE* file = replaced ? NULL : open_spawned(&call, command, mode);
    errno = error;
    pthread_setcancelstate(cancelability, NULL);
    if (file) return file;
    file = open_libcs(replaced ? call.text : command, mode);
    trace_call(&(struct trace){
        .kind = "popen", .start = start, .detail = call.reason, .command = command});
    return file;
}

__attribute__((visibility("default"))) FILE* popen(const char* command, const char* mode) {
    const uint64_t start = trace_clock();
    if (config()->disabled) return open_real(command, mode, "disabled", start);
    if (!(config()->mock ? !config()->exec : may_be_ours(command)))
        return open_real(command, mode, "no ip or bridge", start);
    if (strcmp(mode, "w") == 0 || strcmp(mode, "we") == 0)
        return open_for_writing(command, mode, start);
    const bool cloexec = strcmp(mode, "re") == 0;
    if (!cloexec && strcmp(mode, "r") != 0) return open_real(command, mode, "mode", start);
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    const int error = errno;
    struct preparation prepared = {
        .call = {.socket = -1}, .slot = -1, .read_end = -1, .write_end = -1};
    bool streams = false; /* pclose learns the status */
    FILE* file = open_native(&prepared, command, cloexec, &streams);
    if (!file) undo(&prepared);
    FILE* const spawned = file ? NULL : open_spawned(&prepared.call, command, mode);
    errno = error;
    pthread_setcancelstate(cancelability, NULL);
    if (spawned) return spawned;
    if (!file) return open_real(command, mode, prepared.call.reason, start);
    if (!streams) child_has_ended();
    trace_call(&(struct trace){.kind = "popen",
                               .native = true,
                               .has_status = !streams,
                               .status = prepared.call.status,
                               .start = start,
                               .detail = prepared.call.text,
                               .way = prepared.call.way,
                               .command = command});
    return file;
}
