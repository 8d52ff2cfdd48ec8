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

using Json = nlohmann::ordered_json;

constexpr timeval patience{5, 0};

std::expected<Descriptor, std::string> connect_to(const std::string& path) {
    auto socket = connect_unix(path, {.patience = patience});
    if (!socket) return std::unexpected(fmt::format("{}: {}", path, strerror(socket.error())));
    return std::move(*socket);
}

bool send_request(const Descriptor& socket, bool reset) {
    const std::string request = encode_request({.kind = NLSH_STATS}, reset ? "reset" : "");
    return send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) >= 0;
}

// Appends a reply's output. False: that was the last one; the error: something else came.
std::expected<bool, std::string> receive_part(const Descriptor& socket, std::string& text) {
    std::vector<char> frame(sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX);
    const ssize_t got = recv(socket.get(), frame.data(), frame.size(), 0);
    if (got < 0) return std::unexpected("no answer");
    const auto reply = decode_reply(std::span(frame.data(), static_cast<size_t>(got)));
    if (!reply) return std::unexpected("not a server of nlsh");
    if (reply->type != NLSH_DONE)
        return std::unexpected(fmt::format("the server declines: {}", reply->text));
    text.append(reply->output);
    return !reply->output.empty();
}

}  // namespace

std::expected<Json, std::string> ask_statistics(const std::string& socket_prefix, bool reset) {
    const auto socket = connect_to(socket_prefix + ".0");
    if (!socket) return std::unexpected(socket.error());
    if (!send_request(*socket, reset)) return std::unexpected("the server doesn't listen");
    std::string text;
    for (;;) {
        const auto more = receive_part(*socket, text);
        if (!more) return std::unexpected(more.error());
        if (!*more) break;
    }
    Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) return std::unexpected("the answer can't be read");
    return document;
}

}  // namespace nlsh
