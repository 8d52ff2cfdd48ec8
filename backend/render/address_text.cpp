#include "backend/render/address_text.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>

namespace nlsh {

void AddressText::append(std::string_view text) {
    const size_t size = std::min(text.size(), sizeof buffer_ - size_);
    text.copy(buffer_ + size_, size);
    size_ += size;
    cut_ = cut_ || size < text.size();
}

void AddressText::append_number(uint8_t number) {
    if (number >= 100) put(static_cast<char>('0' + number / 100));
    if (number >= 10) put(static_cast<char>('0' + number / 10 % 10));
    put(static_cast<char>('0' + number % 10));
}

void AddressText::append(uint8_t family, Bytes address) {
    if (family == AF_INET && address.size() >= 4) {
        for (size_t i = 0; i < 4; ++i) {
            if (i != 0) put('.');
            append_number(address[i]);
        }
    } else if (family == AF_INET6 && address.size() >= 16) {
        char text[INET6_ADDRSTRLEN];
        append(inet_ntop(AF_INET6, address.data(), text, sizeof text));
    } else {
        append("???");
    }
}

void AddressText::append_length(uint8_t bits) {
    put('/');
    append_number(bits);
}

}  // namespace nlsh
