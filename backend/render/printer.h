// Prints a show's fields as text or JSON (packaging/docs/iproute2-behaviour.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "backend/net/attributes.h"
#include "backend/output.h"
#include "parser/ip/options.h"

namespace nlsh {

// The colours of -color.
enum class Color : uint8_t { none, ifname, mac, inet, inet6, up, down };
Color address_color(uint8_t family);  // AF_*

// Collects output in one buffer; flush() writes it in large pieces. Not thread-safe.
class Printer {
  public:
    Printer(Output& output, const Options& options);

    bool json() const { return json_; }
    bool text_mode() const { return !json_; }
    const Options& options() const { return options_; }

    // The document: `[` … `]\n` in JSON, nothing in text. end_document() also flushes.
    void begin_document();
    void end_document();

    // Structure: JSON only. A key is given inside an object, "" inside an array.
    void open_object(std::string_view key = {});
    void close_object();
    void open_array(std::string_view key = {});
    void close_array();

    // A field: text gets before + value + after, JSON gets "key":value. In an array the key is "".
    void string(std::string_view key, std::string_view before, std::string_view value,
                std::string_view after);
    // The same, with value and `after` in a colour.
    void string(Color color, std::string_view key, std::string_view before, std::string_view value,
                std::string_view after);
    void number(std::string_view key, std::string_view before, uint64_t value,
                std::string_view after);
    void signed_number(std::string_view key, std::string_view before, int64_t value,
                       std::string_view after);
    // In the colour of the address's family.
    void address(std::string_view key, std::string_view before, uint8_t family, Bytes address,
                 std::string_view after);
    // JSON "0x2a" as a string, text 0x2a.
    void hex(std::string_view key, std::string_view before, uint64_t value, std::string_view after);
    // JSON true/false; text: before + on/off + after.
    void on_off(std::string_view key, std::string_view before, bool value, std::string_view after);
    // JSON "key":null; text: the words.
    void null(std::string_view key, std::string_view text);
    // JSON "key":true/false; text: the words only.
    void boolean(std::string_view key, std::string_view text, bool value = true);
    // A value as "%g" prints it, in JSON and in text.
    void floating(std::string_view key, std::string_view before, double value,
                  std::string_view after);

    // Text only.
    void text(std::string_view bytes) {
        if (!json_) buffer_.append(bytes);
    }
    void json_string(std::string_view key, std::string_view value);
    void json_number(std::string_view key, uint64_t value);
    void json_signed(std::string_view key, int64_t value);
    void json_boolean(std::string_view key, bool value);
    void json_null(std::string_view key);
    void json_floating(std::string_view key, double value);           // %g
    void json_literal(std::string_view key, std::string_view value);  // unquoted: 0.00
    // Unquoted, also in JSON mode (messages that iproute2 prints to stdout regardless).
    void raw(std::string_view bytes) { buffer_.append(bytes); }

    // Starts a colour for the text that follows.
    void paint(Color color);
    void unpaint(Color color);

    // iproute2's _SL_: a newline, or a backslash with -o.
    void line_break() { text(options_.oneline ? "\\" : "\n"); }
    // At the end of an object's lines: writes the buffer if it is large. False: the reader has
    // gone.
    bool flush_if_large();
    bool flush();
    size_t pending() const { return buffer_.size(); }
    // For text that may be dropped again, such as a header without rows.
    std::string& buffer() { return buffer_; }

  private:
    void note(std::string_view key);
    bool noted(std::string_view key);  // it goes on in JSON alone
    void key(std::string_view key);
    // Whether nothing but key_start() comes before the key.
    bool is_compact(std::string_view key) const { return !pretty_ && !key.empty(); }
    std::string_view key_start() { return std::exchange(follows_, true) ? ",\"" : "\""; }
    // `before`, the value with JSON's escapes, `after`.
    void quoted(std::string_view before, std::string_view value, std::string_view after);
    void indent();

    Output& output_;
    const Options& options_;
    std::string buffer_;
    bool json_;
    bool pretty_;
    bool colored_;
    bool broken_ = false;
    unsigned depth_ = 0;
    bool follows_ = false;  // another value, so that a comma comes between
};

}  // namespace nlsh
