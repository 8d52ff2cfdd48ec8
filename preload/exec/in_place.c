#include "preload/exec/in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/caller/caller.h"
#include "preload/caller/certain.h"
#include "preload/caller/ending.h"
#include "preload/caller/inherited.h"
#include "preload/client/match.h"
#include "preload/exec/exec.h"
#include "preload/exec/exec_call.h"
#include "preload/exec/netns_exec.h"
#include "preload/libc/readable.h"
#include "preload/libc/text.h"
#include "preload/settings/config.h"
#include "preload/settings/trace.h"

static bool is_tool(const char* base) {
    return text_equal(base, "ip") || text_equal(base, "bridge");
}

static bool is_shell(const char* base) {
    return text_equal(base, "sh") || text_equal(base, "dash") || text_equal(base, "bash");
}

/* The line of `sh -c LINE`, or NULL. */
static const char* line_of(char* const* arguments) {
    const bool command = arguments[1] && text_equal(arguments[1], "-c") && arguments[2];
    return command && !arguments[3] ? arguments[2] : NULL;
}

/* `nlsh mock --path` has its own ip beside its socket. */
static bool asks_itself(const char* file) {
    const size_t directory = (size_t)(text_base(file) - file);
    return config()->mock &&
           directory == (size_t)(text_base(config()->socket) - config()->socket) &&
           strncmp(file, config()->socket, directory) == 0;
}

bool may_be_done_in_place(const char* file, char* const* arguments) {
    if (!config()->exec || config()->disabled || config()->inproc || !file || !arguments)
        return false;
    const char* const base = text_base(file);
    const bool tool = is_tool(base);
    size_t size = 0;
    if ((!tool && !is_shell(base)) || !are_readable_words(arguments, &size) || !arguments[0])
        return false;
    if (tool) return text_equal(text_base(arguments[0]), base) && !asks_itself(file);
    const char* const line = config()->mock ? NULL : line_of(arguments);
    return line && may_be_ours(line);
}

static bool is_set(const char* entry, const char* start) {
    const char* const value = text_after(entry, start);
    return value && *value && !text_equal(value, "0");
}

/* Why execve(2) might fail: even the smallest stack allows words of ALL_MAX bytes. */
static const char* exec_fails(const struct program* program) {
    enum { ENTRY_MAX = 64 * 1024, ALL_MAX = 124 * 1024 };
    size_t all = text_length(program->file) + 1;
    if (!are_readable_words(program->environment, &all)) return "bad pointers";
    for (char* const* word = program->arguments; *word; ++word)
        all += sizeof *word + text_length(*word) + 1;
    for (char* const* entry = program->environment; entry && *entry; ++entry)
        if (text_length(*entry) > ENTRY_MAX) return "large arguments or environment";
    return all > ALL_MAX ? "large arguments or environment" : NULL;
}

/* Checks the environment that the program would get. */
static const char* environment_refusal(char* const* environment) {
    for (char* const* entry = environment; entry && *entry; ++entry)
        if (is_set(*entry, "NLSH_DISABLE=") || text_equal(*entry, "NLSH_EXEC=0")) return "disabled";
    return NULL;
}

/* Whether exec would end no other thread and unshare no signal handlers. If it would, unshare()
 * fails and changes nothing. */
static bool alone(void) {
    return unshare(CLONE_THREAD | CLONE_SIGHAND) == 0;
}

static bool is_usual(const char* file) {
    static const char* const directories[] = {"/usr/sbin", "/sbin", "/usr/bin", "/bin"};
    const size_t length = (size_t)(text_base(file) - file);
    for (size_t i = 0; i < sizeof directories / sizeof *directories; ++i) {
        const size_t size = strlen(directories[i]);
        if (length == size + 1 && strncmp(file, directories[i], size) == 0) return true;
    }
    return false;
}

/* Whether this is ip or bridge, whose existence the server checks. It doesn't check shells. */
static bool is_usual_tool(const char* file) {
    return is_tool(text_base(file)) && is_usual(file);
}

static bool is_filtered(void) {
    return prctl(PR_GET_SECCOMP) != 0;
}

/* Whether a shell under a filter is missing. The probe has shown that the filter allows access().
 */
static bool is_missing_shell(const char* file, const char* line) {
    return line && is_filtered() && access(file, X_OK) != 0;
}

/* NULL: the server may be asked. */
static const char* refusal(const struct program* program, const char* line, bool* elsewhere,
                           bool* terminal) {
    const char* reason = exec_fails(program);
    if (!reason) reason = environment_refusal(program->environment);
    if (reason) return reason;
    reason = exec_refusal(program->file, line, program->environment);
    if (!reason && !alone()) reason = "other threads";
    if (!reason && is_missing_shell(program->file, line)) reason = "the shell is missing";
    *elsewhere = reason != NULL;
    if (reason) return reason;
    return inherited_outputs_take(line != NULL, terminal) ? NULL : "stdout or stderr takes nothing";
}

struct outcome {
    const char* line;   /* a shell's line; NULL: it is ip or bridge */
    const char* reason; /* why it must really be exec'd, or NULL */
    bool entered;       /* the process is in the network namespace, and must exec the command */
    bool elsewhere;     /* the reason isn't the line */
};

static bool runs_line(const struct program* program) {
    return !is_tool(text_base(program->file));
}

/* Another process may wait for the exec before it reads the output or sends a signal. So close what
 * exec would close, and die of signals as the program would. SIGPIPE kills a shell's command, not
 * the shell. */
static void become(const struct program* program, int kept) {
    sigset_t open = *program->mask;
    if (runs_line(program)) sigaddset(&open, SIGPIPE);
    inherited_close(kept);
    ending_open_signals(&open);
}

struct waiting {
    const struct program* program;
    bool open; /* signals may end the process */
    struct handlers handlers;
};

/* If the exec fails, the caller finds everything unchanged. */
static void wait_as_program(void* of, int socket) {
    struct waiting* const waiting = of;
    const struct program* const program = waiting->program;
    if (waiting->open) return;
    waiting->open = true;
    if (exec_is_certain(program->file, program->environment)) {
        become(program, socket);
    } else {
        ending_open_signals_for_now(&waiting->handlers, program->mask);
    }
}

/* Ends the process as the real program would. Returns the reason if the exec must be made after
 * all; nothing has changed then. */
static const char* finish(const struct exec_call* call, const struct program* program) {
    const int output = call->to_stderr ? 2 : 1;
    const ssize_t written = inherited_write_at_once(output, call->output, call->output_size);
    const bool refused = written < 0 && (call->unchanged || errno != EAGAIN);
    const bool unseen = refused && call->unchanged;
    if (!refused && written < (ssize_t)call->output_size) {
        const size_t start = written < 0 ? 0 : (size_t)written;
        enum { NONE = -1 };
        become(program, NONE);
        inherited_write(output, call->output + start, call->output_size - start);
    }
    if (runs_line(program) || unseen) ending_forget(SIGPIPE);
    return unseen ? "its output can't be written" : NULL;
}

static void trace(const struct program* program, const struct outcome* outcome,
                  const struct exec_call* call, uint64_t start) {
    trace_call(&(struct trace){.kind = program->way,
                               .native = !outcome->reason,
                               .has_status = !outcome->reason && !outcome->entered,
                               .status = call->status,
                               .start = start,
                               .detail = outcome->reason ? outcome->reason : call->text,
                               .command = outcome->line,
                               .way = !outcome->reason && call->by_socket ? "own-socket" : NULL,
                               .words = program->arguments});
}

/* ip netns exec NAME COMMAND … (the server has checked the words). */
enum { NETNS_NAME = 3, NETNS_COMMAND = 4 };

/* Call with all signals blocked. Returns why the program hasn't run. */
static const char* try_in_place(const struct program* program, struct exec_call* call,
                                struct outcome* outcome) {
    const char* const reason =
        refusal(program, outcome->line, &outcome->elsewhere, &call->terminal);
    if (reason) return reason;
    struct waiting waiting;
    waiting.program = program;
    waiting.open = false;
    waiting.handlers.dropped = 0;
    const struct wire_late late = {wait_as_program, &waiting};
    const bool connected = exec_connect(call);
    const enum exec_answer answer = connected ? exec_ask(call, program, &late) : EXEC_REAL;
    if (waiting.open) ending_put_back(&waiting.handlers);
    if (connected) close(call->socket);
    outcome->elsewhere = call->elsewhere;
    if (answer == EXEC_DONE) return finish(call, program);
    if (answer != EXEC_ENTER) return call->reason;
    outcome->entered = enter_netns(program->arguments[NETNS_NAME]);
    return outcome->entered ? NULL : "the network namespace can't be entered";
}

static _Noreturn void end(const struct exec_call* call, bool shell, const sigset_t* mask) {
    /* A command that was cut off counts as killed; its shell's status says so. */
    const int status = call->status;
    end_with(shell && WIFSIGNALED(status) ? W_EXITCODE(128 + WTERMSIG(status), 0) : status, mask);
}

/* Checks by the effective ids, as exec does. Sets errno if the file isn't executable. */
static bool is_executable(const char* file) {
    return syscall(SYS_faccessat2, AT_FDCWD, file, X_OK, AT_EACCESS) == 0; /* since Linux 5.8 */
}

enum there program_is_there(const char* file) {
    if (config()->mock || is_usual_tool(file)) return IS_THERE;
    const int error = errno;
    enum there there = IS_FOR_EXEC_TO_SAY;
    /* A seccomp filter may kill the process for this check or for an exec. So leave the check to
     * refusal(), which probes the filter first. */
    if (is_filtered()) {
        if (is_usual(file)) there = IS_THERE;
    } else if (is_executable(file)) {
        there = IS_THERE;
    } else if (errno == ENOENT) {
        there = IS_MISSING;
    }
    errno = error;
    return there;
}

/* If a standard descriptor is closed, a file that the program opens could get its number. */
static bool standard_are_open(void) {
    for (int number = 0; number <= 2; ++number)
        if (fcntl(number, F_GETFD) != 0) return false;
    return true;
}

void do_in_place(const struct program* wanted, struct instead* instead) {
    struct program program = *wanted;
    struct outcome outcome = {.line = runs_line(wanted) ? line_of(wanted->arguments) : NULL};
    const int error = errno;
    const uint64_t start = trace_clock();
    struct exec_call call;
    call.text = "";
    call.by_socket = false;
    /* All includes libc's own two, which pthread_cancel() and another thread's setuid() send. */
    sigset_t all, mask;
    memset(&all, -1, sizeof all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    if (!wanted->mask) program.mask = &mask;
    outcome.reason = try_in_place(&program, &call, &outcome);
    instead->command = outcome.entered ? wanted->arguments + NETNS_COMMAND : NULL;
    instead->nlsh = outcome.reason && outcome.elsewhere && standard_are_open() &&
                    (outcome.line || is_usual_tool(wanted->file)) &&
                    replaced_prepare(instead, wanted, outcome.line, outcome.reason);
    if (!instead->nlsh) trace(&program, &outcome, &call, start);
    const bool done = !outcome.reason && !outcome.entered;
    if (done) end(&call, outcome.line != NULL, program.mask);
    pthread_sigmask(SIG_SETMASK, wanted->mask ? &all : &mask, NULL);
    errno = error;
}

static const char* path_of(char* const* environment) {
    const char* path = NULL;
    for (char* const* entry = environment; entry && *entry && !path; ++entry)
        path = text_after(*entry, "PATH=");
    return path;
}

bool find_along_path(const char* name, char* const* environment, char* path, size_t size) {
    const char* directory = path_of(environment);
    const int error = errno;
    while (directory && *directory == '/') {
        const char* const end = strchrnul(directory, ':');
        const size_t length = (size_t)(end - directory);
        if (length + 1 + strlen(name) >= size) break;
        memcpy(path, directory, length);
        path[length] = '/';
        strcpy(path + length + 1, name);
        if (access(path, X_OK) == 0) return true;
        errno = error;
        directory = *end ? end + 1 : NULL;
    }
    return false;
}
