#include "preload/settings/config.h"

#include <stdlib.h>
#include <string.h>

#include "shim/wire/wire.h"

static struct config settings = {.exec = true, .timeout_ms = 1000, .socket = NLSH_DEFAULT_SOCKET};

const struct config* config(void) {
    return &settings;
}

/* False: the value is set but too long. A cut value would name another file. */
static bool copy(char* target, size_t size, const char* name) {
    const char* value = secure_getenv(name);
    if (!value || !*value) return true;
    const size_t length = strlen(value);
    if (length >= size) return false;
    memcpy(target, value, length + 1);
    return true;
}

static bool flag(const char* name) {
    const char* value = secure_getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

/* Not atoi(): glibc 2.38 makes it a call that musl lacks (__isoc23_strtol). */
static int number_in(const char* digits) {
    enum { TEN = 10, ENOUGH = 100 * 1000 * 1000 };
    int number = 0;
    for (; digits && *digits >= '0' && *digits <= '9' && number < ENOUGH; ++digits)
        number = number * TEN + (*digits - '0');
    return number;
}

/* Read at the start, because daemons clear their environment later. No I/O: this runs in each exec.
 * With /etc/ld.so.preload it also runs in setuid programs, whose environment belongs to another
 * user. */
__attribute__((constructor(101))) static void load(void) {
    if (!copy(settings.socket, sizeof settings.socket, "NLSH_SOCKET")) settings.disabled = true;
    if (!copy(settings.trace, sizeof settings.trace, "NLSH_TRACE")) settings.trace[0] = 0;
    if (flag("NLSH_DISABLE")) settings.disabled = true;
    settings.sigchld = flag("NLSH_SIGCHLD");
    settings.mock = flag("NLSH_MOCK");
    const char* exec = secure_getenv("NLSH_EXEC");
    const char* mock = secure_getenv("NLSH_MOCK");
    settings.exec = settings.mock ? strcmp(mock, "exec") == 0 : !exec || strcmp(exec, "0") != 0;
    const char* engine = secure_getenv("NLSH_ENGINE");
    settings.inproc = engine && strcmp(engine, "inproc") == 0;
    /* Not copied, because that would make the library's data larger than a page. A program that
     * overwrites its environment finds no library, and asks the server. */
    settings.engine = secure_getenv("NLSH_ENGINE_LIBRARY");
    settings.program = secure_getenv("NLSH_PROGRAM");
    const int timeout = number_in(secure_getenv("NLSH_TIMEOUT_MS"));
    if (timeout > 0) settings.timeout_ms = timeout;
}
