/* pclose(), and fclose() on a stream of popen(). */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/caller/caller.h"
#include "preload/client/client.h"
#include "preload/client/kept.h"
#include "preload/libc/real.h"
#include "preload/popen/popen.h"
#include "preload/popen/table.h"
#include "preload/spawned/lapses.h"

static int failed(int error) {
    errno = error;
    return -1;
}

static int close_native(FILE* file, const struct stream* stream) {
    const int error = errno;
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    /* libc doesn't wait for its child if the program has closed the descriptor itself. */
    const int failure = real_fclose(file) == 0 ? 0 : errno;
    popen_free(stream->buffer);
    struct call call = {.socket = stream->socket, .status = stream->status};
    const bool mine = stream->owner == kept_process();
    /* If the number isn't our socket any more, it isn't ours to close. */
    const bool streamed = call.socket >= 0;
    const bool known = !streamed || call_cookie(call.socket) == stream->cookie;
    if (streamed && known) {
        if (mine && !failure) call_finish(&call);
        call_close(&call);
    }
    pthread_setcancelstate(cancelability, NULL);
    if (streamed && mine) child_has_ended();
    errno = error;
    if (failure) return failed(failure);
    return known && mine && !stream->reaped ? call.status : failed(ECHILD);
}

/* The child's status, or -1 and errno. */
static int wait_for(pid_t child, uint32_t hash) {
    siginfo_t info;
    int status;
    pid_t waited;
    while (syscall(SYS_waitid, P_PID, child, &info, WEXITED | WNOWAIT, NULL) != 0 &&
           errno == EINTR) {
    }
    lapse_look(child, hash);
    while ((waited = (pid_t)syscall(SYS_wait4, child, &status, 0, NULL)) < 0 && errno == EINTR) {
    }
    return waited == child ? status : -1;
}

/* As in libc, a failed write counts only if the command succeeds. */
static int close_spawned(FILE* file, const struct stream* stream) {
    const int error = errno;
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    const int failure = real_fclose(file) == 0 ? 0 : errno;
    const int status = failure == EBADF ? -1 : wait_for(stream->status, stream->cookie);
    pthread_setcancelstate(cancelability, NULL);
    if (failure && (status == 0 || failure == EBADF)) return failed(failure);
    if (status != -1) errno = error;
    return status;
}

static int close_stream(FILE* file, const struct stream* stream) {
    switch ((enum stream_kind)stream->kind) {
        case STREAM_NATIVE:
            return close_native(file, stream);
        case STREAM_SPAWNED:
            return close_spawned(file, stream);
        case STREAM_LIBCS:
            break;
    }
    return real_pclose(file);
}

__attribute__((visibility("default"))) int pclose(FILE* file) {
    struct stream stream;
    return table_take(file, &stream) ? close_stream(file, &stream) : real_pclose(file);
}

__attribute__((visibility("default"))) int fclose(FILE* file) {
    struct stream stream;
    return table_take(file, &stream) ? close_stream(file, &stream) : real_fclose(file);
}
