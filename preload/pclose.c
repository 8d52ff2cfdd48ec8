/* pclose(), and fclose() on a stream of popen(). */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "preload/caller.h"
#include "preload/client.h"
#include "preload/kept.h"
#include "preload/popen.h"
#include "preload/real.h"
#include "preload/table.h"

static int failed(int error) {
    errno = error;
    return -1;
}

static int close_native(FILE* file, const struct stream* stream) {
    const int error = errno;
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    /* libc doesn't wait for its child when the program has closed the descriptor itself. */
    const int failure = real_fclose(file) == 0 ? 0 : errno;
    popen_free(stream->buffer);
    struct call call = {.socket = stream->socket, .status = stream->status};
    const bool mine = stream->owner == kept_process();
    /* A number that isn't our socket any more isn't ours to close. */
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

__attribute__((visibility("default"))) int pclose(FILE* file) {
    struct stream stream;
    return table_take(file, &stream) ? close_native(file, &stream) : real_pclose(file);
}

__attribute__((visibility("default"))) int fclose(FILE* file) {
    struct stream stream;
    return table_take(file, &stream) ? close_native(file, &stream) : real_fclose(file);
}
