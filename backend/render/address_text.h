// An address or prefix as text in a fixed buffer, so that large shows allocate nothing for it. Text
// that doesn't fit is cut; no address of the kernel's is that long.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/net/attributes.h"

namespace nlsh {

class AddressText {
  public:
    // In inet_ntop's form; "???" for other families and sizes (as iproute2's rt_addr_n2a).
    void append(uint8_t family, Bytes address);
    // A hardware address: 02:00:00:00:00:01.
    void append_hex(Bytes bytes);
    void append(std::string_view text);
    // /BITS
    void append_length(uint8_t bits);
    std::string_view view() const { return {buffer_, size_}; }
    operator std::string_view() const { return view(); }
    bool cut() const { return cut_; }

  private:
    void put(char c) {
        cut_ = cut_ || size_ == sizeof buffer_;
        if (!cut_) buffer_[size_++] = c;
    }
    void append_number(uint8_t number);
    void append_inet(Bytes address);
    void append_inet6(Bytes address);

    char buffer_[96];  // 32 bytes in hex are the longest
    size_t size_ = 0;
    bool cut_ = false;
};

}  // namespace nlsh
