#include "shim/server/server.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <exception>
#include <new>
#include <thread>

#include "shim/audit/audit.h"
#include "shim/confine/rights.h"
#include "shim/engine/disabled.h"
#include "shim/journal/journal.h"
#include "shim/log/message.h"
#include "shim/process/service_manager.h"
#include "shim/replay/first_use.h"
#include "shim/replay/qualify_builds.h"
#include "shim/server/heir.h"
#include "shim/server/service.h"
#include "shim/server/workers.h"
#include "shim/verify/compare.h"
#include "shim/verify/helper.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

// Signals that all threads block; the main thread waits for them.
sigset_t stop_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return signals;
}

// Stacks as large as in process (shim/inproc/own_stack.cpp), whatever `ulimit -s` says.
void give_threads_stacks() {
    constexpr size_t stack = size_t{1} << 20;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, stack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

// The server writes to its callers' files. False: a limit would cut these writes.
bool lift_limit_of_files() {
    rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    const bool lifted = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
    if (!lifted) signal(SIGXFSZ, SIG_IGN);  // the message about this may go to a file
    return lifted;
}

void raise_descriptor_limit() {
    rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// Heaps for each thread would grow page by page, each time by a system call. Use one heap, which
// grows in large steps.
void grow_heap_in_steps() {
    constexpr int step = 256 << 10;  // bytes; the heap keeps at most twice as much free
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, step);
    mallopt(M_TRIM_THRESHOLD, 2 * step);
}

// Sends an invalid request to the socket PREFIX.0, and waits up to `limit` for the refusal.
bool answers(const std::string& prefix, std::chrono::microseconds limit) {
    const auto socket = connect_unix(prefix + ".0", {.flags = SOCK_NONBLOCK});
    if (!socket) return false;
    const nlsh_request nothing{};  // no magic number: the server refuses it before any check
    if (send(socket->get(), &nothing, sizeof nothing, MSG_NOSIGNAL) < 0) return false;
    pollfd wait{socket->get(), POLLIN, 0};
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(limit);
    nlsh_reply reply{};
    return poll(&wait, 1, static_cast<int>(time.count())) == 1 &&
           recv(socket->get(), &reply, sizeof reply, 0) >= static_cast<ssize_t>(sizeof reply) &&
           reply.type == NLSH_DECLINED;
}

bool answered(const std::string& socket, std::chrono::microseconds limit) {
    try {
        return answers(socket, limit);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// Waits for a stop signal. Meanwhile tells the service manager's watchdog that the server answers.
void wait_for_stop(const sigset_t& signals, const std::string& socket, Workers& workers) {
    const auto interval = watchdog_interval();
    if (interval.count() == 0) {
        int signal = 0;
        sigwait(&signals, &signal);
        return;
    }
    const auto wait = interval / 2;
    const timespec time{.tv_sec = static_cast<time_t>(wait.count() / 1'000'000),
                        .tv_nsec = static_cast<long>(wait.count() % 1'000'000 * 1000)};
    while (sigtimedwait(&signals, nullptr, &time) < 0) {
        if (answered(socket, wait / 2) || workers.exhausted()) notify_manager("WATCHDOG=1");
    }
}

// One thread for each processor's listener, and the threads that supervise workers and sessions.
unsigned threads_min() {
    return std::thread::hardware_concurrency() + 3;
}

// Freeing a deeply nested line needs a stack, and the main thread's may be small (`ulimit -s`).
void forget_lines(Service& service) {
    try {
        std::thread([&] { service.forget_lines(); }).join();
    } catch (const std::exception&) {  // no thread can be started
    }
}

// A call in another namespace needs most: connection, process, namespace, two streams, a netlink
// socket, and inspection. Twice as many, for the next call.
constexpr size_t descriptors_min = 24;

bool descriptors_to_be_had() {
    std::array<Descriptor, descriptors_min> some;
    for (Descriptor& each : some)
        each = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return std::ranges::all_of(some,
                               [](const Descriptor& each) { return static_cast<bool>(each); });
}

int serve_until_stopped(const ServerSettings& settings) {
    const sigset_t signals = stop_signals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    signal(SIGPIPE, SIG_IGN);
    grow_heap_in_steps();
    raise_descriptor_limit();
    give_threads_stacks();
    if (!lift_limit_of_files())
        return fail(1, "nlsh: cannot start while the size of files is limited (ulimit -f)\n");
    if (!threads_to_be_had(threads_min()))
        return fail(
            1, "nlsh: cannot start {} threads (raise ulimit -u, pids.max or the memory limit)\n",
            threads_min());
    qualify_at_start();
    std::unique_ptr<Audit> audit;
    if (!settings.audit.empty()) {
        auto started = Audit::start(settings.audit, settings.audit_rate);
        if (!started) return fail(1, "nlsh: {}\n", started.error());
        audit = std::move(*started);
    }
    // Start it before sockets are opened and rights dropped, so that it runs the real tools as they
    // would run without the server.
    const bool verifies = settings.verify ? *settings.verify > 0 : unknown_build_installed();
    const auto helper = verifies ? VerifyHelper::start() : nullptr;
    // Allocate the journals before the sockets, because this fails if memory is short.
    const unsigned sockets = Listeners::number();
    Journals journals(threads_of_processor(settings.threads_max, sockets) * sockets);
    auto listeners = Listeners::open(settings.socket, settings.owner, inherited_sockets());
    if (!listeners) return fail(1, "nlsh: {}\n", listeners.error());
    const Descriptor verify_log(
        settings.verify_log.empty() ? -1 : open_difference_log(settings.verify_log));
    if (settings.heir && settings.filtered) start_heir(journals, *listeners, audit.get());
    if (const auto dropped = drop_rights(settings.filtered, server_capabilities()); !dropped)
        return fail(1, "nlsh: {}\n", dropped.error());
    Service service({.kill_switch = kill_switch_file(settings.socket),
                     .decline_all = settings.decline_all,
                     .remembered = settings.remembered,
                     .by_proc = settings.by_proc,
                     .log = settings.log,
                     .verify = settings.verify,
                     .verify_log = verify_log.get(),
                     .helper = helper.get(),
                     .audit = audit.get()});
    if (!descriptors_to_be_had())
        return fail(1, "nlsh: cannot open {} more descriptors (raise ulimit -n)\n",
                    descriptors_min);
    Workers workers(service, *listeners, settings.threads_max, journals);
    std::thread supervisor([&] { workers.supervise(); });
    const bool started = workers.start();
    if (started) {
        notify_manager("READY=1");
        wait_for_stop(signals, settings.socket, workers);
        notify_manager("STOPPING=1");
    } else {
        say("nlsh: cannot start a thread for each socket\n");
    }
    listeners->close();
    const bool finished = workers.stop();
    supervisor.join();
    forget_lines(service);
    journals.close();
    // A thread that still writes to a stopped reader must end with the process, as ip would.
    if (!finished) _exit(started ? 0 : 1);
    return started ? 0 : 1;
}

}  // namespace

int serve(const ServerSettings& settings) {
    try {
        return serve_until_stopped(settings);
    } catch (const std::exception& error) {  // no memory, no thread
        return fail(1, "nlsh: cannot start: {}\n", error.what());
    }
}

}  // namespace nlsh
