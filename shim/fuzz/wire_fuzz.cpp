// Any bytes as a frame from a peer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "shim/engine/caller.h"
#include "shim/wire/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    const std::string frame(reinterpret_cast<const char*>(data), size);  // of exactly its size
    const auto request = decode_request(std::span(frame.data(), frame.size()));
    if (!request) return 0;
    // What was accepted lies within the frame and is what a client would have sent.
    size_t total = sizeof(nlsh_request) + request->command.size();
    for (const std::string_view variable : request->environment)
        total += variable.size() + 1;
    if (total > size || request->command.find('\0') != std::string_view::npos) std::abort();
    (void)caller_environment(request->environment);
    const Reply reply{.type = NLSH_DONE, .output = request->command, .text = request->command};
    if (encode_reply(reply).size() > sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX)
        std::abort();
    return 0;
}
