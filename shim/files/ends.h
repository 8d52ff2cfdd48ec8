// The two ends of a pipe, or of a pair of sockets.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backend/descriptor.h"

namespace nlsh {

// A pipe is written at `far` and read at `near`. Both are closed on exec.
struct Ends {
    Descriptor near, far;
    explicit operator bool() const { return near && far; }
};

// Without both ends, errno says why.
inline Ends make_sockets(int type) {
    int ends[2];
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// The same. Neither end is 0, 1 or 2, which this process may have closed.
inline Ends make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return {};
    Ends pipe{Descriptor(ends[0]), Descriptor(ends[1])};
    for (Descriptor* end : {&pipe.near, &pipe.far})
        if (end->get() <= STDERR_FILENO)
            *end = Descriptor(fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return pipe;
}

}  // namespace nlsh
