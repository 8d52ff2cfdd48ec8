#include "shim/inproc/guest_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

namespace nlsh {
namespace {

constexpr int largest_capacity = 1 << 20;

bool pipe_signal_pending() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

void take_pipe_signal() {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGPIPE);
    const timespec now{};
    sigtimedwait(&wanted, nullptr, &now);
}

}  // namespace

bool GuestOutput::write(std::string_view bytes) {
    if (error() != 0) return false;
    const bool pending = pipe_signal_pending();
    sigset_t open = callers_;
    sigset_t blocked;
    sigaddset(&open, SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &open, &blocked);
    const bool written = DescriptorOutput::write(bytes);
    const bool broken = error() == EPIPE;
    pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
    if (broken && !pending) take_pipe_signal();
    return written;
}

WriteFailure GuestOutput::take_failure() {
    WriteFailure failure = DescriptorOutput::take_failure();
    struct sigaction action;
    failure.killed = failure.error == EPIPE && sigismember(&callers_, SIGPIPE) != 1 &&
                     sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
    return failure;
}

void PipeOutput::write_now(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(pipe_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) break;  // the pipe is full
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    rest_.append(bytes);
}

bool PipeOutput::write(std::string_view bytes) {
    written_ += bytes.size();
    if (written_ > least_capacity && blocking_) {
        fcntl(pipe_, F_SETFL, O_NONBLOCK);
        blocking_ = false;
    }
    if (rest_.empty()) {
        write_now(bytes);
    } else {
        rest_.append(bytes);
    }
    return true;
}

bool PipeOutput::finish() {
    if (rest_.empty()) return true;
    const auto wanted = static_cast<int>(std::min<size_t>(written_ + 1, largest_capacity));
    if (fcntl(pipe_, F_SETPIPE_SZ, wanted) > 0) {
        const std::string text = std::move(rest_);
        rest_.clear();
        write_now(text);
    }
    if (rest_.empty()) return true;
    const int target = fcntl(pipe_, F_DUPFD_CLOEXEC, 100);  // the caller closes its own
    if (target < 0) return false;
    fcntl(target, F_SETFL, 0);
    try {
        // All signals are blocked in the thread, as here.
        std::thread([target, text = std::move(rest_)] {
            DescriptorOutput(target).write(text);
            close(target);
        }).detach();
    } catch (const std::system_error&) {
        close(target);
        return false;
    }
    return true;
}

}  // namespace nlsh
