/* The protocol between the preload and the server, over a unix SOCK_SEQPACKET socket named
 * PREFIX.CPU, one for each processor: a connection for each call, or for several of a burst. C17
 * and C++; host byte order. packaging/docs/protocol.md has its versions and promises.
 *
 *   client                              server
 *   request header, command, variables ->   (with NLSH_STREAMS: + SCM_RIGHTS, as below)
 *                                       <- DECLINED: nothing has run, fall back
 *                                       <- DONE: status, output (popen only)
 *                                       <- STREAM: send your descriptors
 *   streams header + SCM_RIGHTS        ->   (popen: the pipe's write end, fd 2; system: fd 1, fd 2)
 *                                       <- DONE
 *                                       <- OPEN: open this file beneath /proc/sys
 *   opened header + SCM_RIGHTS         ->   (or an errno), as often as the line writes such files
 *
 * A request may bring a netlink socket of the client's own (NLSH_NETLINK). The server then runs
 * this and later lines of the connection over it: the kernel checks the rights of the socket's
 * opener, and the socket is in its opener's network namespace.
 *
 * Withdrawing: a client that has waited too long may fall back if the server has not *read* its
 * request. It asks SIOCOUTQ; if bytes are unread it shuts its sending side down, and asks again.
 * The server looks for that shutdown between reading a request and running it. In either order, the
 * client still sees unread bytes, and then the server will see the shutdown and run nothing; or the
 * client sees that they were read, and waits for the answer. A server that dies with the request
 * unread leaves ECONNRESET. If it dies after reading, its heir replies (shim/server/heir.h), or the
 * client sees the end of file. Two cases remain. A server that is stopped (SIGSTOP) after reading
 * holds its callers until it continues or dies. If it reads between the client's two looks at
 * SIOCOUTQ, a long output is lost, because the client can't send its descriptors any more (the
 * status is right). Nothing ever runs twice. */
#ifndef NLSH_WIRE_H
#define NLSH_WIRE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NLSH_MAGIC 0x68736c6eu /* "nlsh" */
#define NLSH_VERSION 2         /* 1: without a root, and a byte of flags */
#define NLSH_DEFAULT_SOCKET "/run/nlsh/nlsh.sock"

enum {
    NLSH_REQUEST_MAX = 128 * 1024, /* the whole message */
    NLSH_OUTPUT_MAX = 4096,        /* output inside a reply: fits any empty pipe */
    NLSH_TEXT_MAX = 512,           /* a reason, for traces */
    NLSH_FAILURES_MAX = 8192,      /* the failures of a line (NLSH_WANT_FAILURES) */
    NLSH_KEPT_MS = 100             /* either side then closes an idle connection */
};

/* WRITE: a popen whose command reads what the program writes; the server never runs it.
 * STATS: the outputs of all DONE replies together are a JSON text; the last reply is empty.
 * JUDGE: the command is a pid. DONE's text says why the server would decline that process; empty:
 * it wouldn't. Only for root, in the server's pid namespace.
 * EXEC: the command is the file that the process would exec, and its argv, each with its NUL. The
 * output comes in the reply. The server writes longer output after STREAM, if it can without
 * waiting; if not, it declines a line that has changed nothing. */
enum nlsh_kind {
    NLSH_POPEN = 1,
    NLSH_SYSTEM = 2,
    NLSH_STATS = 3,
    NLSH_WRITE = 4,
    NLSH_JUDGE = 5,
    /* 6 was an EXEC of version 1 */
    NLSH_EXEC = 7
};
enum nlsh_request_flag {
    NLSH_WANT_TEXT = 1, /* add a text for the trace to DECLINED and DONE */
    NLSH_KEEP = 2,      /* the client will ask again over this connection */
    /* DONE's text shall list the failed commands (shim/wire/failures.h), at most NLSH_FAILURES_MAX
     * bytes */
    NLSH_WANT_FAILURES = 4,
    /* the descriptors come with the request, because the line is likely to write something */
    NLSH_STREAMS = 8,
    NLSH_STREAMS_SIGPIPE_IGNORED = 16, /* with STREAMS: as NLSH_SIGPIPE_IGNORED */
    /* with KEEP: the reply may bring another connection to keep (NLSH_KEPT_APART) */
    NLSH_KEEP_APART = 32,
    NLSH_TERMINAL = 64, /* an EXEC's stdout is a terminal */
    /* a POPEN's stderr comes with the request, twice: the server checks whether it takes output */
    NLSH_STDERR = 128,
    /* a NETLINK_ROUTE socket comes with the request, after other descriptors: this request and
     * later ones of the connection run over it. With SO_DEBUG, which only a holder of CAP_NET_ADMIN
     * can set, this request may make a change for a sender other than root. The server clears it */
    NLSH_NETLINK = 256
};

/* Then command_size bytes of command line, then environment_size bytes of NAME=VALUE\0. */
struct nlsh_request {
    uint32_t magic;
    uint16_t version;
    uint8_t kind;
    uint8_t reserved;
    uint32_t flags;
    uint32_t command_size;
    uint32_t environment_size;
    uint32_t reserved_too;
    uint64_t root; /* the number of the calling thread's root (root.h); 0: unknown */
};

/* REPLACED: nothing has run. For WRITE: the shell runs the text in place of the client's line. For
 * EXEC: the command is `ip netns exec NAME COMMAND`, and the process itself enters the
 * namespace. */
enum nlsh_reply_type {
    NLSH_DECLINED = 1,
    NLSH_STREAM = 2,
    NLSH_DONE = 3,
    NLSH_REPLACED = 4,
    /* The text is a path, the status open(2)'s flags. The client opens only files that its own line
     * names, so a compromised server gets no other file. */
    NLSH_OPEN = 5
};

enum nlsh_reply_flag {
    NLSH_KEPT = 1,      /* with DONE: the server reads another request */
    NLSH_TO_STDERR = 2, /* with an EXEC's DONE: the output belongs to stderr */
    NLSH_UNCHANGED =
        4, /* with an EXEC's DONE: a show, which may be exec'd if its output can't be written */
    /* with KEPT: the connection that comes with this reply replaces this one. It is in the server's
     * network namespace, so the client's end doesn't hold the client's namespace */
    NLSH_KEPT_APART = 8,
    /* with DECLINED: the reason is the caller or the server's load, not the line. The client may
     * spawn `nlsh -c` instead of a shell */
    NLSH_NOT_THIS_CALLER = 16,
    /* with DECLINED: the caller may be served if it passes a netlink socket (NLSH_NETLINK) */
    NLSH_PASS_SOCKET = 32,
    /* with DONE and STREAM, for the trace: the line ran over the caller's own netlink socket */
    NLSH_BY_SOCKET = 64,
    /* with DECLINED: the line may be served if it comes with its descriptors (NLSH_STREAMS, a
     * POPEN's NLSH_STDERR), because the server then knows whether they take all output */
    NLSH_PASS_STREAMS = 128
};

/* Then output_size bytes of output, then text_size bytes of text. The first 8 bytes keep their
 * meaning in all versions. */
struct nlsh_reply {
    uint32_t magic;
    uint16_t version;
    uint8_t type;
    uint8_t flags;
    int32_t status; /* as wait() gives it */
    uint16_t output_size;
    uint16_t text_size;
};

enum nlsh_streams_flag { NLSH_SIGPIPE_IGNORED = 1 }; /* as a child would inherit it */

struct nlsh_streams {
    uint32_t magic;
    uint16_t version;
    uint8_t flags;
    uint8_t reserved;
};

/* The answer to OPEN, with the descriptor unless there is an error. */
struct nlsh_opened {
    uint32_t magic;
    uint16_t version;
    uint16_t reserved;
    int32_t error; /* errno; 0: opened */
};

/* A client sends these variables if they are set. The server declines if one changes more than it
 * can imitate (shim/engine/caller.cpp). */
/* clang-format off */
#define NLSH_VARIABLES(X)                                                               \
    X("PATH")                                                                           \
    X("LC_ALL") X("LC_CTYPE") X("LC_COLLATE") X("LC_MESSAGES") X("LANG")                \
    X("IP_LIB_DIR") X("HZ") X("PROC_NET_PSCHED") X("PROC_ROOT")                         \
    X("BASH_ENV") X("SHELLOPTS") X("BASHOPTS") X("POSIXLY_CORRECT") X("GREP_COLOR")  \
    X("COLORFGBG") X("NO_COLOR") X("BASH_COMPAT") X("SHLVL")                            \
    X("LD_AUDIT") X("LD_DEBUG") X("LD_SHOW_AUXV") X("LD_TRACE_LOADED_OBJECTS")
/* clang-format on */
enum { NLSH_VARIABLE_COUNT = 23 };

#ifdef __cplusplus
}
#endif
#endif
