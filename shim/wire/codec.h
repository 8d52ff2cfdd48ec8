// The server's reading and writing of wire.h's messages. Trusts no length in a frame.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shim/wire/wire.h"

namespace nlsh {

// A request, as views into the frame.
struct RequestView {
    nlsh_kind kind = NLSH_POPEN;
    bool want_text = false;
    bool want_failures = false;
    bool terminal = false;
    bool keep = false;          // the client would ask again over this connection
    bool keep_apart = false;    // or over one that comes with the reply
    bool streams = false;       // its descriptors have come with the request
    bool error_stream = false;  // of a popen: its stderr, to be looked at
    bool sigpipe_ignored = false;
    bool netlink = false;  // a netlink socket has come with it
    uint64_t root = 0;     // the caller's (root.h)
    std::string_view command;
    std::vector<std::string_view> environment;  // NAME=VALUE
};

struct RequestKind {
    nlsh_kind kind = NLSH_POPEN;
    unsigned flags = 0;  // of nlsh_request_flag
};

// The texts of an EXEC's command: the file, then argv.
std::vector<std::string_view> exec_words(std::string_view command);

// environment: NAME=VALUE\0 … . Whether it is too large is the caller's to see.
std::string encode_request(const RequestKind& kind, std::string_view command,
                           std::string_view environment = {});

// The error says what is wrong with the frame.
std::expected<RequestView, std::string> decode_request(std::span<const char> frame);

struct Reply {
    nlsh_reply_type type = NLSH_DECLINED;
    int status = 0;
    std::string_view output{};  // at most NLSH_OUTPUT_MAX, cut otherwise
    std::string_view text{};    // cut to text_max
    size_t text_max = NLSH_TEXT_MAX;
    bool kept = false;  // another request will be read
    bool to_stderr = false;
    bool unchanged = false;
    bool not_this_caller = false;
    bool pass_socket = false;
    bool pass_streams = false;
    bool by_socket = false;
};

std::string encode_reply(const Reply& reply);
// Its first bytes alone, which say how much of output and text follow.
nlsh_reply reply_header(const Reply& reply);

// Views into the frame; nullopt when it is none of our version.
std::optional<Reply> decode_reply(std::span<const char> frame);

}  // namespace nlsh
