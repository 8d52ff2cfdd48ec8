// Any bytes as a request's frame: read or refused; what is read lies within the frame, and its
// variables are judged.
#include <cstddef>
#include <cstdint>

#include "parser/fuzz/require.h"
#include "shim/engine/caller.h"
#include "shim/engine/exec_line.h"
#include "shim/wire/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    const std::span frame(reinterpret_cast<const char*>(data), size);
    const auto request = decode_request(frame);
    if (!request) return 0;
    const auto inside = [&](std::string_view view) {
        return view.empty() || (view.data() >= frame.data() &&
                                view.data() + view.size() <= frame.data() + frame.size());
    };
    require(inside(request->command));
    const auto words = exec_words(request->command);
    if (request->kind == NLSH_EXEC) {
        size_t size = 0;
        for (const std::string_view word : words) {
            require(inside(word) && word.find('\0') == std::string_view::npos);
            size += word.size() + 1;
        }
        require(size == request->command.size());
        // Quoted for a shell it is the same words, or it is none of ours.
        (void)exec_line(words);
    } else {
        require(request->command.find('\0') == std::string_view::npos);
    }
    require(request->environment.size() <= NLSH_VARIABLE_COUNT);
    for (const std::string_view variable : request->environment)
        require(inside(variable) && variable.find('=') > 0);
    (void)caller_environment(request->environment);
    const std::string reply =
        encode_reply({.type = NLSH_DONE, .output = request->command, .text = request->command});
    require(reply.size() <= sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX);
    return 0;
}
