#define _GNU_SOURCE 1 /* O_DIRECT */
#include "shim/wire/plain_sink.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>

static bool is_plain_socket(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
           send(descriptor, "", 0, MSG_NOSIGNAL | MSG_DONTWAIT) == 0;
}

static bool is_plain_file(int descriptor) {
    struct statfs place;
    return fstatfs(descriptor, &place) == 0 && place.f_type != PROC_SUPER_MAGIC;
}

bool is_plain_sink(int descriptor, mode_t mode) {
    if (S_ISSOCK(mode)) return is_plain_socket(descriptor);
    if (S_ISREG(mode)) return is_plain_file(descriptor);
    return !S_ISFIFO(mode) || (fcntl(descriptor, F_GETFL) & O_DIRECT) == 0;
}
