#include "shim/files/descriptor_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "shim/wire/plain_sink.h"

namespace nlsh {
namespace {

constexpr size_t socket_room =
    size_t{64} * 1024;  // any stream socket that takes output takes this much
constexpr size_t disk_reserve = size_t{64} * 1024;
constexpr unsigned memory_devices = 1;
constexpr unsigned full_device = 7;

// A full non-blocking stream refuses output.
Room room_of_stream(int descriptor, size_t sure, size_t bytes, int flags) {
    pollfd wait{descriptor, POLLOUT, 0};
    if (poll(&wait, 1, 0) < 0) return Room::unsure;
    if ((wait.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return Room::none;
    if ((wait.revents & POLLOUT) == 0) return (flags & O_NONBLOCK) != 0 ? Room::none : Room::unsure;
    return bytes <= sure ? Room::sure : Room::unsure;
}

Room room_on_disk(int descriptor, size_t bytes) {
    struct statvfs disk;
    if (fstatvfs(descriptor, &disk) != 0 || disk.f_blocks == 0) return Room::unsure;
    return disk.f_bavail * disk.f_frsize >= bytes + disk_reserve ? Room::sure : Room::none;
}

}  // namespace

Room room_of(int descriptor, size_t bytes) {
    const int flags = fcntl(descriptor, F_GETFL);
    struct stat file;
    if (flags < 0 || fstat(descriptor, &file) != 0 || !is_plain_sink(descriptor, file.st_mode))
        return Room::none;
    switch (file.st_mode & S_IFMT) {
        case S_IFIFO:
            return room_of_stream(descriptor, PIPE_BUF, bytes, flags);
        case S_IFSOCK:
            return room_of_stream(descriptor, socket_room, bytes, flags);
        case S_IFREG:
            return room_on_disk(descriptor, bytes);
        case S_IFCHR:
            if (file.st_rdev == makedev(memory_devices, full_device)) return Room::none;
            return room_of_stream(descriptor, SSIZE_MAX, bytes, flags);
        default:
            return Room::unsure;
    }
}

bool DescriptorOutput::write(std::string_view bytes) {
    used_ = used_ || !bytes.empty();
    while (!bytes.empty() && error_ == 0) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0) {
            reached_ = true;
            bytes.remove_prefix(static_cast<size_t>(written));
        } else if (errno == EAGAIN) {
            // The reader's pipe is non-blocking and full: iproute2's stdio drops the rest.
            refused_ = true;
            break;
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    return error_ == 0;
}

WriteFailure DescriptorOutput::take_failure() {
    const bool refused = std::exchange(refused_, false);
    const int broken = std::exchange(error_, 0);
    const int error = broken == 0 && refused ? EAGAIN : broken;
    return {.error = error, .killed = error == EPIPE && killable_};
}

std::optional<bool> DescriptorOutput::is_terminal() const {
    return isatty(descriptor_) == 1;
}

}  // namespace nlsh
