#include "preload/in_place.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/caller.h"
#include "preload/config.h"
#include "preload/ending.h"
#include "preload/exec_call.h"
#include "preload/inherited.h"
#include "preload/match.h"
#include "preload/trace.h"

static const char* base_of(const char* file) {
    const char* slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static bool is_tool(const char* base) {
    return strcmp(base, "ip") == 0 || strcmp(base, "bridge") == 0;
}

static bool is_shell(const char* base) {
    return strcmp(base, "sh") == 0 || strcmp(base, "dash") == 0 || strcmp(base, "bash") == 0;
}

/* The line of `sh -c LINE`; NULL. */
static const char* line_of(char* const* arguments) {
    const bool command = arguments[1] && strcmp(arguments[1], "-c") == 0 && arguments[2];
    return command && !arguments[3] ? arguments[2] : NULL;
}

bool may_be_done_in_place(const char* file, char* const* arguments) {
    if (!config()->exec || config()->disabled || config()->inproc || !file || !arguments ||
        !arguments[0])
        return false;
    const char* const base = base_of(file);
    if (is_tool(base)) return strcmp(base_of(arguments[0]), base) == 0;
    const char* const line = is_shell(base) ? line_of(arguments) : NULL;
    return line && may_be_ours(line);
}

static bool is_set(const char* entry, const char* name) {
    const size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0 || entry[length] != '=') return false;
    return entry[length + 1] && strcmp(entry + length + 1, "0") != 0;
}

/* Of the environment that the program would get. One too large for exec is exec's to refuse. */
static const char* environment_refusal(char* const* environment) {
    enum { ENTRY_MAX = 64 * 1024, ALL_MAX = 256 * 1024 };
    size_t all = 0;
    for (char* const* entry = environment; entry && *entry; ++entry) {
        if (is_set(*entry, "NLSH_DISABLE")) return "disabled";
        if (strcmp(*entry, "NLSH_EXEC=0") == 0) return "disabled";
        const size_t size = strlen(*entry);
        all += size;
        if (size > ENTRY_MAX || all > ALL_MAX) return "a large environment";
    }
    return NULL;
}

/* exec ends all other threads; descriptors and handlers that are shared with others it parts from.
 */
static bool alone(void) {
    return unshare(CLONE_THREAD | CLONE_SIGHAND | CLONE_FILES) == 0;
}

/* NULL: it may be asked. */
static const char* refusal(const struct program* program, const char* line) {
    const char* reason = environment_refusal(program->environment);
    if (!reason) reason = exec_refusal(line, program->environment);
    if (reason) return reason;
    if (!alone()) return "other threads, or shared descriptors";
    return inherited_outputs_take(line != NULL) ? NULL : "stdout or stderr takes nothing";
}

/* What the real one would have come to; returns when that is to be found out. */
static const char* finish(const struct exec_call* call, bool shell) {
    const int output = call->to_stderr ? 2 : 1;
    const bool written = inherited_write(output, call->output, call->output_size, call->unchanged);
    /* A shell's command is killed, not the shell. */
    if (shell || (!written && call->unchanged)) ending_forget(SIGPIPE);
    return !written && call->unchanged ? "its output can't be written" : NULL;
}

static void trace(const struct program* program, const char* line, const struct exec_call* call,
                  uint64_t start, const char* reason) {
    trace_call(&(struct trace){.kind = program->way,
                               .native = !reason,
                               .has_status = !reason,
                               .status = reason ? 0 : call->status,
                               .start = start,
                               .detail = reason ? reason : call->text,
                               .command = line,
                               .words = program->arguments});
}

/* With all signals blocked. The reason why it wasn't done. */
static const char* try_in_place(const struct program* program, const char* line,
                                struct exec_call* call) {
    const char* reason = refusal(program, line);
    if (reason) return reason;
    if (!exec_connect(call)) return call->reason;
    reason = inherited_close(call->socket) ? NULL : "descriptors can't be listed";
    if (!reason && !exec_ask(call, program->file, program->arguments, program->environment))
        reason = call->reason;
    close(call->socket);
    return reason ? reason : finish(call, line != NULL);
}

void do_in_place(const struct program* program) {
    const char* const line = is_tool(base_of(program->file)) ? NULL : line_of(program->arguments);
    const int error = errno;
    if (!line && !config()->mock && access(program->file, X_OK) != 0) {
        errno = error;
        return;
    }
    const uint64_t start = trace_clock();
    struct exec_call call;
    sigset_t all, mask;
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    const char* const reason = try_in_place(program, line, &call);
    trace(program, line, &call, start, reason);
    pthread_setcancelstate(cancelability, NULL);
    if (!reason) {
        /* A command that was cut off has been killed; its shell says so by its status. */
        const bool shell = line != NULL && WIFSIGNALED(call.status);
        end_with(shell ? W_EXITCODE(128 + WTERMSIG(call.status), 0) : call.status,
                 program->mask ? program->mask : &mask);
    }
    if (!program->mask) pthread_sigmask(SIG_SETMASK, &mask, NULL);
    errno = error;
}

bool find_along_path(const char* name, char* path, size_t size) {
    const char* directory = getenv("PATH");
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
