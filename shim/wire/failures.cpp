#include "shim/wire/failures.h"

#include <fmt/format.h>

#include <charconv>

#include "backend/read_file.h"
#include "shim/wire/wire.h"

namespace nlsh {
namespace {

// A failure is six texts, each with its NUL: position, status, errno, command, extack, message.
constexpr size_t texts_of_one = 6;
constexpr size_t text_max = 2048;

int number(const std::string& text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string encode(const Failure& failure) {
    std::string text;
    for (const int value : {failure.position, failure.status, failure.refusal.error})
        text.append(fmt::format("{}", value)).append(1, '\0');
    for (const std::string_view part :
         {std::string_view(failure.command), std::string_view(failure.refusal.extack),
          std::string_view(failure.message)})
        text.append(part.substr(0, text_max)).append(1, '\0');
    return text;
}

}  // namespace

std::string encode_failures(const std::vector<Failure>& failures) {
    std::string text;
    for (const Failure& failure : failures) {
        const std::string one = encode(failure);
        if (text.size() + one.size() > NLSH_FAILURES_MAX) break;
        text += one;
    }
    return text;
}

std::vector<Failure> decode_failures(std::string_view text) {
    const std::vector<std::string> texts = split_at_nul(text);
    std::vector<Failure> failures;
    for (size_t i = 0; i + texts_of_one <= texts.size(); i += texts_of_one) {
        failures.push_back({.position = number(texts[i]),
                            .command = texts[i + 3],
                            .status = number(texts[i + 1]),
                            .message = texts[i + 5],
                            .refusal = {number(texts[i + 2]), texts[i + 4]}});
    }
    return failures;
}

}  // namespace nlsh
