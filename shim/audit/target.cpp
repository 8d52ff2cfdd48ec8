#include "shim/audit/target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

class AuditFile : public AuditTarget {
  public:
    explicit AuditFile(std::string path) : path_(std::move(path)) {}

    // 0 or an errno. Follows no link and doesn't wait for a FIFO: another user may own the
    // directory.
    int open() {
        Descriptor file(::open(
            path_.c_str(),
            O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK, 0600));
        struct stat status{};
        if (!file || fstat(file.get(), &status) != 0) return errno;
        if (!S_ISREG(status.st_mode)) return EINVAL;
        file_ = std::move(file);
        return 0;
    }

    int write(std::string_view text) override {
        // After a rotation, writes to the new file, or to the old one if the new one can't be
        // opened.
        if (rotated() && open() == 0) torn_ = false;
        std::string line = torn_ ? "\n" : "";
        line.append(text).append("\n");
        const ssize_t written = ::write(file_.get(), line.data(), line.size());
        if (written == static_cast<ssize_t>(line.size())) {
            torn_ = false;
            return 0;
        }
        const int error = written < 0 ? errno : ENOSPC;
        if (written > 0) take_back(written);
        return error;
    }

    int descriptor() const override { return file_.get(); }

  private:
    bool rotated() const {
        struct stat ours{}, there{};
        if (fstat(file_.get(), &ours) != 0 || lstat(path_.c_str(), &there) != 0) return true;
        return ours.st_ino != there.st_ino || ours.st_dev != there.st_dev;
    }

    // Truncates the file after a full disk took only a part of a record.
    void take_back(ssize_t written) {
        struct stat status{};
        const off_t end = lseek(file_.get(), 0, SEEK_CUR);  // behind our bytes
        torn_ = fstat(file_.get(), &status) != 0 || status.st_size != end ||
                ftruncate(file_.get(), end - written) != 0;
    }

    const std::string path_;
    Descriptor file_;
    bool torn_ = false;  // the file ends with a part of a record
};

// systemd's native protocol: a datagram of KEY=VALUE lines. Doesn't connect the socket, so that
// journald may restart.
class AuditJournal : public AuditTarget {
  public:
    int open() {
        socket_ = Descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        if (!socket_) return errno;
        return access(address_.sun_path, W_OK) == 0 ? 0 : errno;
    }

    int write(std::string_view text) override {
        const std::string message =
            fmt::format("SYSLOG_IDENTIFIER=nlsh-audit\nPRIORITY=6\nMESSAGE={}\n", text);
        const ssize_t sent = sendto(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL,
                                    reinterpret_cast<const sockaddr*>(&address_), sizeof address_);
        return sent < 0 ? errno : 0;
    }

    int descriptor() const override { return socket_.get(); }

  private:
    const sockaddr_un address_{AF_UNIX, "/run/systemd/journal/socket"};
    Descriptor socket_;
};

template <class Target>
std::expected<std::unique_ptr<AuditTarget>, std::string> opened(std::unique_ptr<Target> target,
                                                                const std::string& where) {
    if (const int error = target->open(); error != 0)
        return std::unexpected(fmt::format(
            "--audit {}: {}", where, error == EINVAL ? "not a regular file" : strerror(error)));
    return target;
}

}  // namespace

std::expected<std::unique_ptr<AuditTarget>, std::string> open_audit_target(
    const std::string& where) {
    if (where == "journal") return opened(std::make_unique<AuditJournal>(), where);
    return opened(std::make_unique<AuditFile>(where), where);
}

}  // namespace nlsh
