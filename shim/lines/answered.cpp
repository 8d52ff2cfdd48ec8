#include "shim/lines/answered.h"

#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "parser/text.h"
#include "shim/process/exit_status.h"
#include "shim/process/quote.h"
#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"
#include "shim/wire/wire.h"

namespace nlsh {
namespace {

// The words, quoted for a shell.
std::string quoted(int argc, char** argv) {
    std::string line;
    for (int i = 0; i < argc; ++i) {
        if (i > 0) line += ' ';
        line += shell_quoted(i == 0 ? base_name(argv[i]) : argv[i]);
    }
    return line;
}

bool send_line(int socket, const std::string& line) {
    const std::string frame = encode_request({.kind = NLSH_SYSTEM}, line);
    return send(socket, frame.data(), frame.size(), MSG_NOSIGNAL) >= 0;
}

bool send_streams(int socket) {
    nlsh_streams header{};
    header.magic = NLSH_MAGIC;
    header.version = NLSH_VERSION;
    return send_with_descriptors(socket, {reinterpret_cast<const char*>(&header), sizeof header},
                                 {STDOUT_FILENO, STDERR_FILENO});
}

}  // namespace

bool asks_for_answers() {
    return getenv("NLSH_MOCK") != nullptr && getenv("NLSH_SOCKET") != nullptr;
}

std::optional<int> ask_for_answer(int argc, char** argv) {
    const auto socket = connect_unix(std::string(getenv("NLSH_SOCKET")) + ".0");
    if (!socket || !send_line(socket->get(), quoted(argc, argv))) return {};
    for (;;) {
        char frame[sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX];
        nlsh_reply reply{};
        if (recv(socket->get(), frame, sizeof frame, 0) < static_cast<ssize_t>(sizeof reply))
            return 128 + SIGKILL;  // as if the command had been killed
        std::memcpy(&reply, frame, sizeof reply);
        if (reply.type == NLSH_DONE) return exit_status(reply.status);
        if (reply.type != NLSH_STREAM || !send_streams(socket->get())) return {};
    }
}

}  // namespace nlsh
