// The functions of libnlsh.so (nlsh.h). They throw no exception, and a thread can't be cancelled in
// them.
#include <pthread.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <vector>

#include "shim/library/format.h"
#include "shim/library/handle.h"
#include "shim/library/nlsh.h"
#include "shim/wire/unix_socket.h"
#include "shim/wire/wire.h"

#define NLSH_EXPORTED extern "C" __attribute__((visibility("default")))

struct nlsh_handle {
    nlsh::Library library;
};

namespace {

// Disables cancellation, which could leave a line half done.
class NoCancellation {
  public:
    NoCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~NoCancellation() { pthread_setcancelstate(before_, nullptr); }
    NoCancellation(const NoCancellation&) = delete;
    NoCancellation& operator=(const NoCancellation&) = delete;

  private:
    int before_ = 0;
};

// Returns act's value, or `failed` with errno set.
template <typename Value, typename Act>
Value guarded(Value failed, Act act) {
    const NoCancellation protection;
    try {
        return act();
    } catch (const std::system_error& error) {
        errno = error.code().value();
    } catch (...) {
        errno = ENOMEM;
    }
    return failed;
}

template <typename Value>
Value fails(int error, Value value) {
    errno = error;
    return value;
}

std::string default_socket() {
    const char* given = secure_getenv("NLSH_SOCKET");
    return given != nullptr && *given != 0 ? given : NLSH_DEFAULT_SOCKET;
}

// The members point into the outcome. The program sees `shown`.
struct Owned {
    explicit Owned(nlsh::Outcome result) : outcome(std::move(result)) {
        for (const nlsh::Failure& failure : outcome.failures) {
            failures.push_back({.position = failure.position,
                                .command = failure.command.c_str(),
                                .status = failure.status,
                                .error = failure.refusal.error,
                                .extack = failure.refusal.extack.c_str(),
                                .message = failure.message.c_str()});
        }
        shown = {.status = outcome.status,
                 .output = outcome.output.c_str(),
                 .output_size = outcome.output.size(),
                 .error = outcome.error.c_str(),
                 .error_size = outcome.error.size(),
                 .fallback = outcome.fallback.empty() ? nullptr : outcome.fallback.c_str(),
                 .failure_count = failures.size(),
                 .failures = failures.empty() ? nullptr : failures.data()};
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    nlsh_result shown{};  // first, because its address is this object's
    nlsh::Outcome outcome;
    std::vector<nlsh_failure> failures;
};

int run(nlsh_handle* handle, nlsh_result** result, const std::string& line) {
    auto outcome = handle->library.run(line);
    if (!outcome) return fails(outcome.error(), -1);
    const int status = outcome->status;
    if (result != nullptr) *result = &(new Owned(std::move(*outcome)))->shown;
    return status;
}

}  // namespace

NLSH_EXPORTED nlsh_handle* nlsh_open(nlsh_way way, const char* socket) {
    nlsh_handle* const none = nullptr;
    if (way != NLSH_IN_PROCESS && way != NLSH_BY_SERVER) return fails(EINVAL, none);
    return guarded(none, [&] {
        std::string prefix;
        if (way == NLSH_BY_SERVER) prefix = socket != nullptr ? socket : default_socket();
        if (way == NLSH_BY_SERVER && prefix.empty()) return fails(EINVAL, none);
        if (!nlsh::unix_address(prefix + ".1023")) return fails(ENAMETOOLONG, none);
        return new nlsh_handle{nlsh::Library(std::move(prefix))};
    });
}

NLSH_EXPORTED void nlsh_close(nlsh_handle* handle) {
    delete handle;
}

NLSH_EXPORTED int nlsh_run(nlsh_handle* handle, nlsh_result** result, const char* line) {
    if (result != nullptr) *result = nullptr;
    if (handle == nullptr || line == nullptr) return fails(EINVAL, -1);
    return guarded(-1, [&] { return run(handle, result, line); });
}

NLSH_EXPORTED int nlsh_runf(nlsh_handle* handle, nlsh_result** result, const char* format, ...) {
    if (result != nullptr) *result = nullptr;
    if (handle == nullptr || format == nullptr) return fails(EINVAL, -1);
    va_list values;
    va_start(values, format);
    const int status = guarded(-1, [&] {
        const auto line = nlsh::format_line(format, values);
        return line ? run(handle, result, *line) : fails(EINVAL, -1);
    });
    va_end(values);
    return status;
}

NLSH_EXPORTED void nlsh_free(nlsh_result* result) {
    const std::unique_ptr<Owned> owned(reinterpret_cast<Owned*>(result));
}

NLSH_EXPORTED const char* nlsh_version(void) {
    return NLSH_LIBRARY_VERSION;
}
