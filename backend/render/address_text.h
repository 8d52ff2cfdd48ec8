// An address or prefix as text in a fixed buffer, so that dumps of many routes allocate nothing.
// Text that doesn't fit is cut; no address of the kernel's is that long.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/net/attributes.h"

namespace nlsh {

class AddressText {
  public:
    // In inet_ntop's form; "???" for other families and sizes.
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
