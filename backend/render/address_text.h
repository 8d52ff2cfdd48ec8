// An address or prefix as text in a fixed buffer: a dump of many routes allocates nothing for them.
// What doesn't fit, as no address of the kernel's does, is cut off.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/net/attributes.h"

namespace nlsh {

class AddressText {
  public:
    // inet_ntop's form; "???" for other families and sizes.
    void append(uint8_t family, Bytes address);
    void append(std::string_view text);
    // /BITS
    void append_length(uint8_t bits);
    std::string_view view() const { return {buffer_, size_}; }
    bool cut() const { return cut_; }

  private:
    void put(char c) {
        cut_ = cut_ || size_ == sizeof buffer_;
        if (!cut_) buffer_[size_++] = c;
    }
    void append_number(uint8_t number);

    char buffer_[64];
    size_t size_ = 0;
    bool cut_ = false;
};

}  // namespace nlsh
