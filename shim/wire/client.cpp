#include "shim/wire/client.h"

#include <fmt/format.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <span>

#include "shim/wire/codec.h"
#include "shim/wire/failures.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

constexpr std::chrono::milliseconds turn{1000};  // a limitless wait is one of such turns
constexpr int cut_off = W_EXITCODE(128 + SIGKILL, 0);

// Of this processor; of the first when the server hadn't this one.
std::expected<Descriptor, int> connect_to(const std::string& prefix) {
    const int processor = sched_getcpu();
    auto socket = connect_unix(fmt::format("{}.{}", prefix, processor < 0 ? 0 : processor),
                               {.flags = SOCK_NONBLOCK});
    if (socket || processor <= 0 || socket.error() != ENOENT) return socket;
    return connect_unix(prefix + ".0", {.flags = SOCK_NONBLOCK});
}

// False: nothing came in the time given (none: however long it takes).
bool wait_readable(int socket, const std::chrono::milliseconds* limit) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    pollfd wait{socket, POLLIN, 0};
    for (;;) {
        const auto passed =
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        const auto left = limit != nullptr ? std::max(*limit - passed, turn * 0) : turn;
        const int ready = poll(&wait, 1, static_cast<int>(left.count()));
        if (ready > 0) return true;
        if (ready == 0 && limit != nullptr) return false;
    }
}

bool request_unread(int socket) {
    int unread = 0;
    return ioctl(socket, SIOCOUTQ, &unread) == 0 && unread > 0;
}

// After the time given. True: the server will not run the request (wire.h, "Withdrawing").
bool withdraw(int socket) {
    return request_unread(socket) && shutdown(socket, SHUT_WR) == 0 && request_unread(socket);
}

// A file in memory, which a server may fill without anybody reading.
class Collector {
  public:
    explicit Collector(const char* name) : file_(memfd_create(name, MFD_CLOEXEC)) {}
    int get() const { return file_.get(); }
    std::string text() const {
        std::string text;
        std::array<char, 16384> part;
        ssize_t got = 0;
        while ((got = pread(get(), part.data(), part.size(), static_cast<off_t>(text.size()))) > 0)
            text.append(part.data(), static_cast<size_t>(got));
        return text;
    }

  private:
    Descriptor file_;
};

// A connection on which a request may be sent.
class Call {
  public:
    explicit Call(Descriptor socket) : socket_(std::move(socket)) {}

    bool send(const std::string& request) const {
        return request.size() <= NLSH_REQUEST_MAX &&
               ::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) >= 0;
    }
    // The server doesn't answer in time, and will not run the request.
    bool withdrawn(std::chrono::milliseconds patience) const {
        return !wait_readable(socket_.get(), &patience) && withdraw(socket_.get());
    }
    // Waits for a reply, however long, which holds until the next. 0, or why there is none:
    // ECONNRESET when our last message wasn't read.
    int receive(Reply& reply) {
        for (;;) {
            const ssize_t got = recv(socket_.get(), frame_.data(), frame_.size(), 0);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0 && errno == EAGAIN) {
                wait_readable(socket_.get(), nullptr);
                continue;
            }
            if (got < 0) return errno;
            const auto decoded = decode_reply(std::span(frame_.data(), static_cast<size_t>(got)));
            if (!decoded) return EPIPE;
            reply = *decoded;
            return 0;
        }
    }
    // Fails when the server is gone, or we have withdrawn: the next reply says so.
    void give_streams(const Collector& output, const Collector& error) const {
        nlsh_streams header{};
        header.magic = NLSH_MAGIC;
        header.version = NLSH_VERSION;
        const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
        send_with_descriptors(socket_.get(), bytes, {output.get(), error.get()});
    }

  private:
    const Descriptor socket_;
    std::vector<char> frame_ =
        std::vector<char>(sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_FAILURES_MAX);
};

}  // namespace

std::expected<ServerAnswer, std::string> ask_server(const std::string& prefix,
                                                    const ServerQuestion& question) {
    auto socket = connect_to(prefix);
    if (!socket) return std::unexpected("no server");
    const Collector output("nlsh output"), error("nlsh error");
    if (output.get() < 0 || error.get() < 0) return std::unexpected("no memory for the output");
    Call call(std::move(*socket));
    if (!call.send(encode_request({.kind = NLSH_POPEN, .flags = NLSH_WANT_FAILURES}, question.line,
                                  question.environment)))
        return std::unexpected("can't send");
    if (call.withdrawn(question.patience)) return std::unexpected("server doesn't answer");
    Reply reply{};
    int failed = call.receive(reply);
    if (failed == ECONNRESET) return std::unexpected("server died before");
    if (failed == 0 && reply.type == NLSH_DECLINED)
        return std::unexpected(reply.text.empty() ? "declined" : std::string(reply.text));
    if (failed == 0 && reply.type == NLSH_STREAM) {
        call.give_streams(output, error);
        failed = call.receive(reply);
    }
    ServerAnswer answer{
        .wait_status = cut_off, .output = output.text(), .error = error.text(), .failures = {}};
    if (failed != 0 || reply.type != NLSH_DONE) return answer;
    answer.wait_status = reply.status;
    answer.output += reply.output;
    answer.failures = decode_failures(reply.text);
    return answer;
}

}  // namespace nlsh
