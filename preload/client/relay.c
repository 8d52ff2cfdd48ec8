#define _GNU_SOURCE 1 /* pipe2 */
#include "preload/client/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/client/match.h"
#include "shim/wire/plain_sink.h"

/* A service's journal is a socket. */
static bool is_relayed(int output, const struct stat* file) {
    return (S_ISSOCK(file->st_mode) || S_ISREG(file->st_mode)) &&
           is_plain_sink(output, file->st_mode);
}

static bool make_pipe(struct relay* relay, int number, int output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    relay->ends[number] = ends[0];
    relay->given[number] = ends[1];
    relay->to[number] = output;
    return true;
}

static bool is_same_file(const struct stat* one, const struct stat* other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static bool appends(int output) {
    return (fcntl(output, F_GETFL) & O_APPEND) != 0;
}

/* Of one file. Otherwise two descriptors may have places of their own in it. */
static bool write_at_one_place(const int outputs[RELAY_OUTPUTS], const struct stat* file) {
    return S_ISSOCK(file->st_mode) || (appends(outputs[0]) && appends(outputs[1]));
}

static bool begin(struct relay* relay, const int outputs[RELAY_OUTPUTS], const char* line) {
    struct stat files[RELAY_OUTPUTS];
    for (int i = 0; i < RELAY_OUTPUTS; ++i) {
        const bool again = i > 0 && outputs[i] == outputs[0]; /* of a popen: stderr twice */
        relay->given[i] = again ? relay->given[0] : outputs[i];
        if (again) continue;
        if (fstat(outputs[i], &files[i]) != 0) return false;
        if (hides_writer(&files[i])) continue;
        if (!is_relayed(outputs[i], &files[i]) || !only_changes(line)) return false;
        if (i > 0 && relay->ends[0] >= 0 && is_same_file(&files[i], &files[0])) {
            if (!write_at_one_place(outputs, &files[i])) return false;
            relay->given[i] = relay->given[0]; /* the order of both outputs stays */
        } else if (!make_pipe(relay, i, outputs[i])) {
            return false;
        }
    }
    return true;
}

bool relay_begin(struct relay* relay, const int outputs[RELAY_OUTPUTS], const char* line) {
    *relay = (struct relay){.used = true, .ends = {-1, -1}};
    if (begin(relay, outputs, line)) return true;
    relay_end(relay);
    return false;
}

/* As a child's write: what a full or broken output doesn't take is lost. */
static void put(int output, const char* bytes, size_t size) {
    while (size > 0) {
        ssize_t written = send(output, bytes, size, MSG_NOSIGNAL);
        if (written < 0 && errno == ENOTSOCK) written = write(output, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        size -= (size_t)written;
    }
}

static void pass_on(int from, int to) {
    char bytes[4096];
    int waiting = 0;
    while (ioctl(from, FIONREAD, &waiting) == 0 && waiting > 0) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        put(to, bytes, (size_t)got);
    }
}

void relay_end(struct relay* relay) {
    for (int i = 0; relay->used && i < RELAY_OUTPUTS; ++i) {
        if (relay->ends[i] < 0) continue;
        pass_on(relay->ends[i], relay->to[i]);
        close(relay->given[i]);
        close(relay->ends[i]);
    }
    relay->used = false;
}
