#include "backend/render/printer.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>

#include "backend/render/address_text.h"

namespace nlsh {
namespace {

using namespace std::literals;

constexpr size_t large = size_t{64} * 1024;

// SGR's foreground, by Color.
constexpr char foreground[] = {0, '6', '3', '5', '4', '2', '1'};

// The letter of JSON's short escapes; 0: the character has none.
constexpr char escape_letter(char c) {
    constexpr std::string_view characters = "\t\n\r\f\b\\\"";
    constexpr std::string_view letters = "tnrfb\\\"";
    const size_t at = characters.find(c);
    return at == std::string_view::npos ? '\0' : letters[at];
}

constexpr bool is_control(char c) {
    return (c > 0 && c < ' ') || c == 0x7f;
}

// By byte: whether it may need an escape.
constexpr auto special = [] {
    std::array<bool, 256> bytes{};
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = is_control(static_cast<char>(i)) || escape_letter(static_cast<char>(i)) != 0;
    return bytes;
}();

bool is_plain(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return special[static_cast<uint8_t>(c)]; });
}

// Checks the capacity once for all parts.
void append(std::string& text, std::same_as<std::string_view> auto... parts) {
    const size_t old = text.size();
    // The second argument isn't the size that was asked for (GCC bug 105995).
    text.resize_and_overwrite(old + (parts.size() + ...), [&](char* bytes, size_t) {
        char* end = bytes + old;
        ((end += parts.copy(end, parts.size())), ...);
        return static_cast<size_t>(end - bytes);
    });
}

std::string_view text_of(const fmt::format_int& digits) {
    return {digits.data(), digits.size()};
}

}  // namespace

Color address_color(uint8_t family) {
    return family == AF_INET ? Color::inet : family == AF_INET6 ? Color::inet6 : Color::none;
}

Printer::Printer(Output& output, const Options& options)
    : output_(output),
      options_(options),
      json_(options.json),
      pretty_(options.json && options.pretty),
      colored_(!options.json && options.color == ColorMode::always) {}

void Printer::indent() {
    buffer_.append(size_t{4} * depth_, ' ');
}

// The comma after the value before, and the key, which is a word of ours and needs no escapes.
// Pretty: objects put each key on its own line, arrays keep their elements on one line, `[ a,b ]`.
void Printer::key(std::string_view key) {
    if (is_compact(key)) return append(buffer_, key_start(), key, "\":"sv);
    const bool first = !std::exchange(follows_, true);
    if (key.empty()) {
        if (!first) buffer_ += ',';
    } else {
        buffer_.append(first ? "\n" : ",\n");
        indent();
        append(buffer_, "\""sv, key, "\": "sv);
    }
}

void Printer::quoted(std::string_view before, std::string_view value, std::string_view after) {
    if (is_plain(value)) return append(buffer_, before, value, after);
    buffer_.append(before);
    for (const char c : value) {
        if (const char letter = escape_letter(c); letter != 0) {
            buffer_ += '\\';
            buffer_ += letter;
        } else if (is_control(c) && options_.traits.has(Trait::json_control_escapes)) {
            fmt::format_to(std::back_inserter(buffer_), "\\u{:04x}", c);
        } else {
            buffer_ += c;
        }
    }
    buffer_.append(after);
}

void Printer::begin_document() {
    if (json_) open_array();
}

void Printer::end_document() {
    if (json_) {
        close_array();
        buffer_ += '\n';
    }
    flush();
}

void Printer::open_object(std::string_view name) {
    if (!json_) return;
    key(name);
    buffer_ += '{';
    ++depth_;
    follows_ = false;
}

void Printer::close_object() {
    if (!json_) return;
    --depth_;
    if (follows_ && pretty_) {
        buffer_ += '\n';
        indent();
    }
    buffer_ += '}';
    follows_ = true;
}

void Printer::open_array(std::string_view name) {
    if (!json_) return;
    key(name);
    buffer_ += '[';
    if (pretty_) buffer_ += ' ';
    ++depth_;
    follows_ = false;
}

void Printer::close_array() {
    if (!json_) return;
    --depth_;
    if (pretty_ && follows_) buffer_ += ' ';
    buffer_ += ']';
    follows_ = true;
}

void Printer::note(std::string_view key) {
    if (options_.watch != nullptr && !key.empty()) options_.watch->printed(key);
}

bool Printer::noted(std::string_view key) {
    note(key);
    return json_;
}

void Printer::json_string(std::string_view name, std::string_view value) {
    if (!noted(name)) return;
    if (is_plain(value) && is_compact(name))
        return append(buffer_, key_start(), name, "\":\""sv, value, "\""sv);
    key(name);
    quoted("\"", value, "\"");
}

void Printer::json_number(std::string_view name, uint64_t value) {
    if (!noted(name)) return;
    const fmt::format_int digits(value);
    if (is_compact(name)) return append(buffer_, key_start(), name, "\":"sv, text_of(digits));
    key(name);
    buffer_.append(text_of(digits));
}

void Printer::json_signed(std::string_view name, int64_t value) {
    json_literal(name, text_of(fmt::format_int(value)));
}

void Printer::json_boolean(std::string_view name, bool value) {
    json_literal(name, value ? "true" : "false");
}

void Printer::json_null(std::string_view name) {
    json_literal(name, "null");
}

void Printer::json_floating(std::string_view name, double value) {
    json_literal(name, fmt::format("{:g}", value));
}

void Printer::json_literal(std::string_view name, std::string_view value) {
    if (!noted(name)) return;
    key(name);
    buffer_ += value;
}

void Printer::string(std::string_view key, std::string_view before, std::string_view value,
                     std::string_view after) {
    if (json_) return json_string(key, value);
    note(key);
    append(buffer_, before, value, after);
}

void Printer::string(Color color, std::string_view key, std::string_view before,
                     std::string_view value, std::string_view after) {
    if (!colored_) return string(key, before, value, after);
    note(key);
    buffer_.append(before);
    paint(color);
    buffer_.append(value).append(after);
    unpaint(color);
}

void Printer::address(std::string_view key, std::string_view before, uint8_t family, Bytes address,
                      std::string_view after) {
    AddressText text;
    text.append(family, address);
    string(address_color(family), key, before, text, after);
}

void Printer::paint(Color color) {
    if (!colored_ || color == Color::none) return;
    const bool bright = options_.bright_inet6 && color == Color::inet6;
    buffer_.append(!options_.dark ? "\033[3" : bright ? "\033[1;9" : "\033[1;3");
    buffer_ += foreground[static_cast<size_t>(color)];
    buffer_ += 'm';
}

void Printer::unpaint(Color color) {
    if (colored_ && color != Color::none) buffer_.append("\033[0m");
}

void Printer::number(std::string_view key, std::string_view before, uint64_t value,
                     std::string_view after) {
    if (json_) return json_number(key, value);
    note(key);
    append(buffer_, before, text_of(fmt::format_int(value)), after);
}

void Printer::signed_number(std::string_view key, std::string_view before, int64_t value,
                            std::string_view after) {
    if (json_) return json_signed(key, value);
    note(key);
    append(buffer_, before, text_of(fmt::format_int(value)), after);
}

void Printer::hex(std::string_view key, std::string_view before, uint64_t value,
                  std::string_view after) {
    string(key, before, fmt::format("{:#x}", value), after);
}

void Printer::on_off(std::string_view key, std::string_view before, bool value,
                     std::string_view after) {
    if (json_) return json_boolean(key, value);
    string(key, before, value ? "on" : "off", after);
}

void Printer::null(std::string_view key, std::string_view words) {
    if (json_) return json_null(key);
    string(key, words, {}, {});
}

void Printer::boolean(std::string_view key, std::string_view words, bool value) {
    if (json_) return json_boolean(key, value);
    string(key, words, {}, {});
}

void Printer::floating(std::string_view key, std::string_view before, double value,
                       std::string_view after) {
    if (json_) return json_floating(key, value);
    string(key, before, fmt::format("{:g}", value), after);
}

bool Printer::flush_if_large() {
    return buffer_.size() < large ? !broken_ : flush();
}

bool Printer::flush() {
    if (!buffer_.empty() && !broken_) broken_ = !output_.write(buffer_);
    buffer_.clear();
    return !broken_;
}

}  // namespace nlsh
