#include "shim/wire/codec.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace nlsh {
namespace {

// NAME=VALUE\0 … : every entry ends with its NUL and has a name.
bool split_environment(std::string_view block, std::vector<std::string_view>& entries) {
    while (!block.empty()) {
        const size_t end = block.find('\0');
        if (end == std::string_view::npos) return false;
        const std::string_view entry = block.substr(0, end);
        const size_t equals = entry.find('=');
        if (equals == 0 || equals == std::string_view::npos) return false;
        entries.push_back(entry);
        block.remove_prefix(end + 1);
    }
    return entries.size() <= NLSH_VARIABLE_COUNT;
}

constexpr std::array kinds{NLSH_POPEN, NLSH_SYSTEM, NLSH_STATS, NLSH_WRITE, NLSH_JUDGE, NLSH_EXEC};

bool is_kind(uint8_t kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

}  // namespace

std::vector<std::string_view> exec_words(std::string_view command) {
    std::vector<std::string_view> words;
    while (!command.empty()) {
        const size_t end = std::min(command.find('\0'), command.size());
        words.push_back(command.substr(0, end));
        command.remove_prefix(std::min(end + 1, command.size()));
    }
    return words;
}

std::string encode_request(const RequestKind& kind, std::string_view command,
                           std::string_view environment) {
    nlsh_request header{};
    header.magic = NLSH_MAGIC;
    header.version = NLSH_VERSION;
    header.kind = static_cast<uint8_t>(kind.kind);
    header.flags = kind.flags;
    header.command_size = static_cast<uint32_t>(command.size());
    header.environment_size = static_cast<uint32_t>(environment.size());
    std::string frame(reinterpret_cast<const char*>(&header), sizeof header);
    return frame.append(command).append(environment);
}

std::expected<RequestView, std::string> decode_request(std::span<const char> frame) {
    nlsh_request header;
    if (frame.size() > NLSH_REQUEST_MAX) return std::unexpected("request too large");
    if (frame.size() < sizeof header) return std::unexpected("request too short");
    std::memcpy(&header, frame.data(), sizeof header);
    if (header.magic != NLSH_MAGIC) return std::unexpected("no request");
    if (header.version != NLSH_VERSION) return std::unexpected("another protocol version");
    if (!is_kind(header.kind)) return std::unexpected("unknown kind");
    const size_t body = frame.size() - sizeof header;
    if (header.command_size > body || header.environment_size != body - header.command_size) {
        return std::unexpected("lengths don't match");
    }
    RequestView request;
    request.kind = static_cast<nlsh_kind>(header.kind);
    request.flags = header.flags;
    const std::string_view bytes(frame.data() + sizeof header, body);
    request.command = bytes.substr(0, header.command_size);
    request.root = header.root;
    if (request.kind == NLSH_EXEC) {
        if (!request.command.ends_with('\0')) return std::unexpected("broken words");
    } else if (request.command.find('\0') != std::string_view::npos) {
        return std::unexpected("NUL in command");
    }
    if (!split_environment(bytes.substr(header.command_size), request.environment)) {
        return std::unexpected("broken environment");
    }
    return request;
}

nlsh_reply reply_header(const Reply& reply) {
    nlsh_reply header{};
    header.magic = NLSH_MAGIC;
    header.version = NLSH_VERSION;
    header.type = static_cast<uint8_t>(reply.type);
    header.flags = static_cast<uint8_t>(reply.flags);
    header.status = reply.status;
    header.output_size =
        static_cast<uint16_t>(std::min<size_t>(reply.output.size(), NLSH_OUTPUT_MAX));
    header.text_size = static_cast<uint16_t>(std::min(reply.text.size(), reply.text_max));
    return header;
}

std::string encode_reply(const Reply& reply) {
    const nlsh_reply header = reply_header(reply);
    std::string frame(reinterpret_cast<const char*>(&header), sizeof header);
    frame.append(reply.output.substr(0, header.output_size));
    frame.append(reply.text.substr(0, header.text_size));
    return frame;
}

std::optional<Reply> decode_reply(std::span<const char> frame) {
    nlsh_reply header;
    if (frame.size() < sizeof header) return {};
    std::memcpy(&header, frame.data(), sizeof header);
    if (header.magic != NLSH_MAGIC || header.version != NLSH_VERSION) return {};
    const std::string_view body(frame.data() + sizeof header, frame.size() - sizeof header);
    if (size_t{header.output_size} + header.text_size > body.size()) return {};
    return Reply{.type = static_cast<nlsh_reply_type>(header.type),
                 .status = header.status,
                 .output = body.substr(0, header.output_size),
                 .text = body.substr(header.output_size, header.text_size),
                 .flags = header.flags};
}

}  // namespace nlsh
