#include "shim/server/kill_switch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>

namespace nlsh {
namespace {

// What inotify doesn't tell (the directory was replaced, or mounted over) is found after this.
constexpr int oldest_ms = 1000;

std::string directory_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

KillSwitch::KillSwitch(std::string file)
    : file_(std::move(file)),
      events_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      stop_(eventfd(0, EFD_CLOEXEC)) {
    inotify_add_watch(events_.get(), directory_of(file_).c_str(),
                      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO);
    look();
    thread_ = std::thread([this] { watch(); });
}

KillSwitch::~KillSwitch() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(stop_.get(), &one, sizeof one);
    thread_.join();
}

void KillSwitch::look() {
    on_.store(access(file_.c_str(), F_OK) == 0, std::memory_order_relaxed);
}

void KillSwitch::watch() {
    std::array<pollfd, 2> wait{{{stop_.get(), POLLIN, 0}, {events_.get(), POLLIN, 0}}};
    for (;;) {
        poll(wait.data(), wait.size(), oldest_ms);
        if (wait[0].revents != 0) return;
        alignas(inotify_event) std::array<char, 4096> ignored;
        while (read(events_.get(), ignored.data(), ignored.size()) > 0) {
        }
        look();
    }
}

}  // namespace nlsh
