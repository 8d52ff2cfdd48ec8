/* libnlsh: runs ip and bridge command lines as a shell would, without a process.
 *
 *     struct nlsh_handle* nlsh = nlsh_open(NLSH_IN_PROCESS, NULL);
 *     struct nlsh_result* result;
 *     if (nlsh_runf(nlsh, &result, "ip link set dev %s mtu %d", name, 9100) != 0) ...
 *
 * A line is a command line for popen(3), with chains, pipes and redirections. nlsh(1) says which
 * lines are native. /bin/sh runs the others in a child process, with the same result; nothing of
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

/* Where native lines run. */
enum nlsh_way
#ifdef __cplusplus
    : unsigned /* as in C: any value may come; nlsh_open refuses unknown ones */
#endif
{
    NLSH_IN_PROCESS = 0, /* the calling thread: its rights, its network namespace */
    NLSH_BY_SERVER = 1   /* nlsh serve, if it serves the caller (nlsh-serve(8)). The program holds
                            no netlink sockets. Without a server /bin/sh runs all lines. */
};

/* Any number of threads may use one handle at the same time. In a forked child all lines of an
 * inherited handle run by /bin/sh: open another handle there, and after a chroot(2). */
struct nlsh_handle;

/* A command of the line that ended with another status than 0. The strings belong to the result. */
struct nlsh_failure {
    int position;        /* 1: the line's first command, as written */
    const char* command; /* its words, with a blank between two */
    int status;          /* its exit status */
    int error;           /* errno, if the kernel refused a request; else 0 */
    const char* extack;  /* the kernel's error text; "": it sent none */
    const char* message; /* the command's first line on stderr; "": none */
};

/* The result of a line. The caller owns it, and frees it by nlsh_free. Later releases may add
 * members at the end. */
struct nlsh_result {
    int status;         /* the exit status, 0 to 255; 128 + N if signal N ended the shell, also 137
                           if the server died meanwhile; -1: unknown, because SIGCHLD is ignored */
    const char* output; /* stdout: output_size bytes and a NUL after them */
    size_t output_size;
    const char* error; /* stderr: error_size bytes and a NUL after them */
    size_t error_size;
    const char* fallback; /* why /bin/sh ran the line; NULL: it was native */
    size_t failure_count; /* of a native line: the failed commands, in the order in which they */
    const struct nlsh_failure* failures; /* ran, also those that || made good */
};

/* Opens a handle, which the caller closes by nlsh_close. Doesn't connect yet. socket: for
 * NLSH_BY_SERVER the prefix of the server's sockets; NULL: $NLSH_SOCKET, else /run/nlsh/nlsh.sock.
 * Returns NULL on failure, with errno EINVAL, ENAMETOOLONG or ENOMEM. */
struct nlsh_handle* nlsh_open(enum nlsh_way way, const char* socket);
/* Closes a handle that no other thread is using. NULL is allowed. */
void nlsh_close(struct nlsh_handle* handle);

/* Runs a line to its end and returns its exit status, result->status. Returns -1 and sets *result
 * to NULL if nothing has run; errno says why (EINVAL, ENOMEM, EMFILE, EAGAIN ...). result may be
 * NULL. Thread-safe; a cancellation point only after the line's end; not for signal handlers; needs
 * about 100 KiB of stack. /bin/sh runs lines with other files than /dev/null and those below
 * /proc/sys, and lines that never end (ip monitor). */
int nlsh_run(struct nlsh_handle* handle, struct nlsh_result** result, const char* line);

/* The same with values: %s becomes one word, quoted as needed, whatever it contains (write no
 * quotes around it); %d, %u, %ld and %lu become numbers, %% a per cent sign. Returns -1 with EINVAL
 * for other conversions. */
int nlsh_runf(struct nlsh_handle* handle, struct nlsh_result** result, const char* format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Frees a result with everything in it. NULL is allowed. */
void nlsh_free(struct nlsh_result* result);

/* The library's version, such as "0.1.0". Don't free it. */
const char* nlsh_version(void);

#ifdef __cplusplus
}
#endif
#endif
