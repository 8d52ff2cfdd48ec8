#include "shim/mock/server.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <vector>

#include "shim/files/descriptor_output.h"
#include "shim/process/exec_line.h"
#include "shim/server/reply_streams.h"
#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

constexpr int backlog = 128;
constexpr timeval request_wait{1, 0};  // a client sends right after connecting

void reply(int connection, const Reply& reply) {
    const std::string frame = encode_reply(reply);
    send(connection, frame.data(), frame.size(), MSG_NOSIGNAL);
}

// The process's parent may wait for the end without reading the output.
void answer_exec(int connection, const GivenAnswer& answer) {
    Reply done{.type = NLSH_DONE, .status = answer.wait_status};
    const bool to_stderr = answer.output.empty() && !answer.error.empty();
    const std::string& text = to_stderr ? answer.error : answer.output;
    if ((to_stderr || answer.error.empty()) && text.size() <= NLSH_OUTPUT_MAX) {
        done.output = text;
        done.flags = flag_if(to_stderr, NLSH_TO_STDERR);
        return reply(connection, done);
    }
    const auto given = ask_for_streams(connection);
    if (!given) return;
    const auto takes = [&given](bool error, const std::string& bytes) {
        return room_of(given->descriptors[error].get(), bytes.size()) == Room::sure;
    };
    const bool fits = takes(false, answer.output) && takes(true, answer.error);
    if (!fits) reply(connection, done);
    DescriptorOutput(given->descriptors[0].get()).write(answer.output);
    DescriptorOutput(given->descriptors[1].get()).write(answer.error);
    if (fits) reply(connection, done);
}

}  // namespace

bool AnswerServer::listen(const std::string& socket_prefix) {
    const auto address = unix_address(socket_prefix + ".0");  // every client tries this one last
    if (!address) {
        errno = ENAMETOOLONG;
        return false;
    }
    socket_ = Descriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    return bind(socket_.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) ==
               0 &&
           ::listen(socket_.get(), backlog) == 0;
}

void AnswerServer::start() {
    thread_ = std::thread([this] { accept_all(); });
}

AnswerServer::~AnswerServer() {
    if (!thread_.joinable()) return;
    shutdown(socket_.get(), SHUT_RDWR);
    thread_.join();
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return running_ == 0; });
}

void AnswerServer::accept_all() {
    for (;;) {
        const int connection = accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0 && errno != EINTR && errno != ECONNABORTED) return;
        if (connection < 0) continue;
        {
            const std::lock_guard lock(mutex_);
            ++running_;
        }
        std::thread([this, connection] {
            answer(connection);
            const std::lock_guard lock(mutex_);
            --running_;
            finished_.notify_all();
        }).detach();
    }
}

void AnswerServer::answer(int number) {
    const Descriptor connection(number);
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
        return;
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &request_wait, sizeof request_wait);
    std::vector<char> frame(NLSH_REQUEST_MAX);
    const ssize_t got = recv(number, frame.data(), frame.size(), 0);
    if (got <= 0) return;
    const auto request = decode_request(std::span(frame.data(), static_cast<size_t>(got)));
    if (!request) return;
    // Declines a popen for writing, because its input isn't known yet.
    const bool exec = request->kind == NLSH_EXEC;
    if (request->kind != NLSH_POPEN && request->kind != NLSH_SYSTEM && !exec)
        return reply(number, {.type = NLSH_DECLINED, .text = "not a line to answer"});
    const std::string line =
        exec ? plain_exec_line(exec_words(request->command)) : std::string(request->command);
    const auto answer = answerer_({line, number, peer.pid});
    if (!answer) return reply(number, {.type = NLSH_DECLINED, .text = "recorded"});
    if (exec) return answer_exec(number, *answer);
    ReplyStreams streams(number, request->kind);
    streams.output().write(answer->output);
    streams.error().write(answer->error);
    streams.close();
    reply(number, {.type = NLSH_DONE, .status = answer->wait_status, .output = streams.held()});
}

}  // namespace nlsh
