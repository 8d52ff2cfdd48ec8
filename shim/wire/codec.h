// Reads and writes wire.h's messages for the server. Trusts no length in a frame.
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
    unsigned flags = 0;  // of nlsh_request_flag
    uint64_t root = 0;   // the caller's (root.h)
    std::string_view command;
    std::vector<std::string_view> environment;  // NAME=VALUE
    // Whether any of these flags is set.
    bool says(unsigned any) const { return (flags & any) != 0; }
};

struct RequestKind {
    nlsh_kind kind = NLSH_POPEN;
    unsigned flags = 0;  // of nlsh_request_flag
};

// The texts of an EXEC's command: the file, then argv.
std::vector<std::string_view> exec_words(std::string_view command);

// environment: NAME=VALUE\0 … . The caller checks the size.
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
    unsigned flags = 0;  // of nlsh_reply_flag
};
inline unsigned flag_if(bool set, nlsh_reply_flag flag) {
    return set ? static_cast<unsigned>(flag) : 0U;
}

std::string encode_reply(const Reply& reply);
// A reply's header, which has the sizes of the output and text that follow.
nlsh_reply reply_header(const Reply& reply);

// Views into the frame. nullopt: not a reply of our version.
std::optional<Reply> decode_reply(std::span<const char> frame);

}  // namespace nlsh
