#include "shim/wire/client.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "backend/descriptor.h"
#include "shim/wire/call.h"
#include "shim/wire/codec.h"
#include "shim/wire/failures.h"

namespace nlsh {
namespace {

constexpr int cut_off = W_EXITCODE(128 + SIGKILL, 0);

// A file in memory: the server can write without a reader.
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

// A connection on which a request may be sent (call.h).
class Call {
  public:
    explicit Call(Descriptor socket) : socket_(std::move(socket)) {}

    bool send(std::string& request) const {
        const iovec part{request.data(), request.size()};
        const wire_descriptors nothing{nullptr, -1};
        return request.size() <= NLSH_REQUEST_MAX && wire_send(socket_.get(), &part, 1, &nothing);
    }
    // 0, or wire_receive_first's error.
    int first(std::chrono::milliseconds patience) {
        return wire_receive_first(socket_.get(), &reply_, &body_, false,
                                  static_cast<int>(patience.count()));
    }
    int next() { return wire_receive(socket_.get(), &reply_, &body_); }
    const nlsh_reply& reply() const { return reply_; }
    std::string_view output() const { return {bytes_.data(), reply_.output_size}; }
    std::string_view text() const { return {bytes_.data() + reply_.output_size, reply_.text_size}; }
    void give_streams(const Collector& output, const Collector& error) const {
        wire_give_streams(socket_.get(), false, output.get(), error.get());
    }

  private:
    const Descriptor socket_;
    nlsh_reply reply_{};
    std::vector<char> bytes_ = std::vector<char>(NLSH_OUTPUT_MAX + NLSH_FAILURES_MAX);
    const wire_body body_{bytes_.data(), NLSH_OUTPUT_MAX, NLSH_FAILURES_MAX,
                          nullptr,       nullptr,         nullptr};
};

}  // namespace

std::expected<ServerAnswer, std::string> ask_server(const std::string& prefix,
                                                    const ServerQuestion& question) {
    Descriptor socket(wire_connect(prefix.c_str(), wire_processor()));
    if (!socket) return std::unexpected("no server");
    const Collector output("nlsh output"), error("nlsh error");
    if (output.get() < 0 || error.get() < 0) return std::unexpected("no memory for the output");
    Call call(std::move(socket));
    std::string request = encode_request({.kind = NLSH_POPEN, .flags = NLSH_WANT_FAILURES},
                                         question.line, question.environment);
    if (!call.send(request)) return std::unexpected("can't send");
    int failed = call.first(question.patience);
    if (failed == ETIMEDOUT) return std::unexpected("server doesn't answer");
    if (failed == ECONNRESET) return std::unexpected("server died before");
    if (failed == 0 && call.reply().type == NLSH_DECLINED)
        return std::unexpected(call.text().empty() ? "declined" : std::string(call.text()));
    if (failed == 0 && call.reply().type == NLSH_STREAM) {
        call.give_streams(output, error);
        failed = call.next();
    }
    ServerAnswer answer{
        .wait_status = cut_off, .output = output.text(), .error = error.text(), .failures = {}};
    if (failed != 0 || call.reply().type != NLSH_DONE) return answer;
    answer.wait_status = call.reply().status;
    answer.output += call.output();
    answer.failures = decode_failures(call.text());
    return answer;
}

}  // namespace nlsh
