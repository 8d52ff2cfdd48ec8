#include "shim/verify/helper.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "backend/read_file.h"
#include "shim/files/ends.h"
#include "shim/verify/out_of_use.h"
#include "shim/wire/unix_socket.h"
#include "shim/wire/wire.h"

namespace nlsh {
namespace {

constexpr size_t request_max = 2 * NLSH_REQUEST_MAX;
constexpr const char* disable = "NLSH_DISABLE=1";  // makes a shim in PATH run the real tool

void send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes.remove_prefix(static_cast<size_t>(sent));
    }
}

// An answer is this header, then output and errors until the end of the stream.
struct AnswerHeader {
    int32_t wait_status = 0;
    uint64_t output_size = 0;
};

void send_answer(int socket, const Captured& run) {
    const AnswerHeader header{run.wait_status, run.output.size()};
    send_all(socket, {reinterpret_cast<const char*>(&header), sizeof header});
    send_all(socket, run.output);
    send_all(socket, run.error);
}

// Narrows the bounding set, because an exec gives uid 0 all capabilities in it.
void bound_rights() {
    for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability) {
        if (capability != CAP_NET_ADMIN) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
}

// A request is texts, each with a NUL: the line, then its environment. If the line is empty: a
// proof and a scope for each command to put out of use.
[[noreturn]] void serve_one(const std::string& message, Descriptor netns, Descriptor answer) {
    std::vector<std::string> texts = split_at_nul(message);
    if (texts.empty()) _exit(1);
    if (texts[0].empty()) {
        std::vector<ProvenCommand> commands;
        for (size_t i = 1; i + 1 < texts.size(); i += 2)
            commands.push_back({.proof = texts[i], .scope = texts[i + 1]});
        nlsh::put_out_of_use(commands);
        _exit(0);
    }
    ShellRun run{.line = std::move(texts[0]), .environment = {}, .directory = {}};
    run.environment.assign(texts.begin() + 1, texts.end());
    run.environment.emplace_back(disable);
    if (setns(netns.get(), CLONE_NEWNET) != 0) _exit(1);
    bound_rights();
    if (const auto captured = run_captured(run)) send_answer(answer.get(), *captured);
    _exit(0);
}

struct Message {
    std::string message;
    Descriptor netns;
    Descriptor answer;
};

bool receive(int socket, Message& received) {
    received.message.resize(request_max);
    Received descriptors;
    const ssize_t got = receive_with_descriptors(socket, received.message, descriptors);
    if (got <= 0 || !descriptors[0] || !descriptors[1]) return false;
    received.message.resize(static_cast<size_t>(got));
    received.netns = std::move(descriptors[0]);
    received.answer = std::move(descriptors[1]);
    return true;
}

[[noreturn]] void serve_all(int socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "nlsh-verify");
    signal(SIGCHLD, SIG_IGN);  // reap children at once
    Message received;
    while (receive(socket, received)) {
        if (fork() == 0) {
            close(socket);
            signal(SIGCHLD, SIG_DFL);
            serve_one(received.message, std::move(received.netns), std::move(received.answer));
        }
        received.netns.reset();
        received.answer.reset();
    }
    _exit(0);
}

}  // namespace

std::unique_ptr<VerifyHelper> VerifyHelper::start() {
    Ends ends = make_sockets(SOCK_SEQPACKET);
    if (!ends) return nullptr;
    const int size = static_cast<int>(request_max);
    setsockopt(ends.near.get(), SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
    const pid_t process = fork();
    if (process < 0) return nullptr;
    if (process == 0) {
        ends.near.reset();
        serve_all(ends.far.get());
    }
    return std::unique_ptr<VerifyHelper>(new VerifyHelper(std::move(ends.near)));
}

std::expected<Captured, int> VerifyHelper::run(const std::string& line,
                                               const std::vector<std::string_view>& environment,
                                               int netns) const {
    std::string message = line + '\0';
    for (const std::string_view variable : environment)
        message.append(variable).append(1, '\0');
    Ends ends = make_sockets(SOCK_STREAM);
    if (!ends || !send_with_descriptors(socket_.get(), message, {netns, ends.far.get()}))
        return std::unexpected(errno);
    ends.far.reset();
    const std::string answer = read_all(ends.near);
    AnswerHeader header;
    if (answer.size() < sizeof header) return std::unexpected(EIO);
    std::memcpy(&header, answer.data(), sizeof header);
    const std::string_view body = std::string_view(answer).substr(sizeof header);
    if (header.output_size > body.size()) return std::unexpected(EIO);
    const auto output = static_cast<size_t>(header.output_size);
    return Captured{std::string(body.substr(0, output)), std::string(body.substr(output)),
                    header.wait_status};
}

void VerifyHelper::put_out_of_use(const std::vector<ProvenCommand>& commands) const {
    std::vector<std::string_view> texts;
    for (const ProvenCommand& command : commands)
        texts.insert(texts.end(), {command.proof, command.scope});
    const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    // The helper answers by closing the stream.
    [[maybe_unused]] const auto end = run("", texts, nothing.get());
}

}  // namespace nlsh
