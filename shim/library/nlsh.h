/* libnlsh: runs ip and bridge command lines as a shell would, without a process.
 *
 *     struct nlsh_handle* nlsh = nlsh_open(NLSH_IN_PROCESS, NULL);
 *     struct nlsh_result* result;
 *     if (nlsh_runf(nlsh, &result, "ip link set dev %s mtu %d", name, 9100) != 0) ...
 *
 * A line is what popen(3) takes, chains, pipes and redirections included: nlsh(1) says which lines
 * are native. The others are run by /bin/sh in a child process, with the same result; nothing of
 * such a line has run before. No function writes to the program's stdout or stderr, changes its
 * signals, or leaves a thread behind.
 *
 * Link with -lnlsh (pkg-config: nlsh; CMake: find_package(nlsh), nlsh::nlsh). C99 and C++. */
#ifndef NLSH_H
#define NLSH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who runs native lines. */
enum nlsh_way
#ifdef __cplusplus
    : unsigned /* as in C: any value may come, and wrong ones are refused */
#endif
{
    NLSH_IN_PROCESS = 0, /* the calling thread: its rights, its network namespace */
    NLSH_BY_SERVER = 1   /* nlsh serve, for callers that nlsh-serve(8) serves; the program carries
                            no netlink sockets. Without a server all lines go to /bin/sh. */
};

/* Any number of threads may use one handle at the same time. In a forked child it goes on to work,
 * but gives all lines to /bin/sh: open another there; and another after a chroot(2). */
struct nlsh_handle;

/* A command of the line that ended with a status other than 0. */
struct nlsh_failure {
    int position;        /* 1: the line's first command, as written */
    const char* command; /* its words, with a blank between two */
    int status;          /* its exit status */
    int error;           /* errno, when the kernel refused a request; else 0 */
    const char* extack;  /* the kernel's own words, "" when it sent none */
    const char* message; /* the first line that it wrote to stderr, "" when none */
};

/* All that a line did. Belongs to the caller until nlsh_free. Further members may come at the end.
 */
struct nlsh_result {
    int status; /* the exit status, 0 to 255; 128 + N when signal N ended the shell, also 137
                   when the server died meanwhile; -1: not known, as SIGCHLD is ignored */
    const char* output; /* stdout: output_size bytes and a NUL after them */
    size_t output_size;
    const char* error; /* stderr, likewise */
    size_t error_size;
    const char* fallback; /* why /bin/sh ran the line; NULL: it was native */
    size_t failure_count; /* of a native line: the commands that failed, in the order in which */
    const struct nlsh_failure* failures; /* they ran; what the line made good by || is among them */
};

/* socket: for NLSH_BY_SERVER the prefix of the server's sockets; NULL: $NLSH_SOCKET, else
 * /run/nlsh/nlsh.sock. Connects to nothing yet. NULL: errno says why (EINVAL, ENAMETOOLONG,
 * ENOMEM). */
struct nlsh_handle* nlsh_open(enum nlsh_way way, const char* socket);
/* No other thread may be using it. NULL is let pass. */
void nlsh_close(struct nlsh_handle* handle);

/* Runs a line to its end and returns its exit status, result->status. -1 and *result NULL: nothing
 * has run, and errno says why (EINVAL, ENOMEM, EMFILE, EAGAIN ...). result: NULL if it isn't
 * wanted. A cancellation point after the line's end only. Not for signal handlers. Takes some 100
 * KiB of stack. Lines that ask for files other than below /proc/sys and /dev/null, or that never
 * end (ip monitor), are /bin/sh's. */
int nlsh_run(struct nlsh_handle* handle, struct nlsh_result** result, const char* line);

/* The same with values: %s is one word of the line, quoted if need be, whatever is in it; %d, %u,
 * %ld, %lu numbers; %% a per cent sign. -1 with EINVAL for anything else. No quotes around a %s. */
int nlsh_runf(struct nlsh_handle* handle, struct nlsh_result** result, const char* format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* NULL is let pass. */
void nlsh_free(struct nlsh_result* result);

/* "0.1.0" */
const char* nlsh_version(void);

#ifdef __cplusplus
}
#endif
#endif
