#include "shim/stats/client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"
#include "shim/wire/wire.h"

namespace nlsh {
namespace {

constexpr timeval patience{5, 0};

std::expected<Descriptor, std::string> connect_to(const std::string& path) {
    auto socket = connect_unix(path, {.patience = patience});
    if (!socket) return std::unexpected(fmt::format("{}: {}", path, strerror(socket.error())));
    return std::move(*socket);
}

std::expected<Descriptor, std::string> request(const std::string& socket_prefix, nlsh_kind kind,
                                               std::string_view command = {}) {
    auto socket = connect_to(socket_prefix + ".0");
    if (!socket) return socket;
    const std::string request = encode_request({.kind = kind}, command);
    if (send(socket->get(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
        return std::unexpected("the server doesn't listen");
    return socket;
}

// A reply's output and text; an error if the reply isn't DONE.
struct Answer {
    std::string output, text;
};
std::expected<Answer, std::string> receive(const Descriptor& socket) {
    std::vector<char> frame(sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX);
    const ssize_t got = recv(socket.get(), frame.data(), frame.size(), 0);
    if (got < 0) return std::unexpected("no answer");
    const auto reply = decode_reply(std::span(frame.data(), static_cast<size_t>(got)));
    if (!reply) return std::unexpected("not a server of nlsh");
    if (reply->type != NLSH_DONE)
        return std::unexpected(fmt::format("the server declines: {}", reply->text));
    return Answer{std::string(reply->output), std::string(reply->text)};
}

}  // namespace

std::expected<Json, std::string> ask_statistics(const std::string& socket_prefix, bool reset) {
    const auto socket = request(socket_prefix, NLSH_STATS, reset ? "reset" : "");
    if (!socket) return std::unexpected(socket.error());
    std::string text;
    for (;;) {
        const auto part = receive(*socket);
        if (!part) return std::unexpected(part.error());
        if (part->output.empty()) break;
        text += part->output;
    }
    Json document = parse_json(text);
    if (document.is_discarded()) return std::unexpected("the answer can't be read");
    return document;
}

std::expected<std::string, std::string> ask_judgement(const std::string& socket_prefix,
                                                      const std::string& process) {
    const auto socket = request(socket_prefix, NLSH_JUDGE, process);
    if (!socket) return std::unexpected(socket.error());
    auto answer = receive(*socket);
    if (!answer) return std::unexpected(answer.error());
    return std::move(answer->text);
}

}  // namespace nlsh
