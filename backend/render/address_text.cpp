#include "backend/render/address_text.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace nlsh {
namespace {

constexpr size_t words = 8;  // of an IPv6 address

uint16_t word_at(Bytes address, size_t i) {
    return static_cast<uint16_t>(address[2 * i] << 8 | address[2 * i + 1]);
}

char hex_digit(unsigned value) {
    return "0123456789abcdef"[value & 15];
}

struct Decimal {
    char digits[3];
    uint8_t size;
};
constexpr auto decimals = [] {
    std::array<Decimal, 256> table{};
    for (unsigned number = 0; number < table.size(); ++number) {
        auto& [digits, size] = table[number];
        for (const unsigned unit : {100U, 10U, 1U})
            if (number >= unit || unit == 1)
                digits[size++] = static_cast<char>('0' + number / unit % 10);
    }
    return table;
}();

// The words that "::" stands for: the first of the longest runs of at least two zeros.
struct Gap {
    size_t begin = words;
    size_t size = 1;
};

Gap gap_of(Bytes address) {
    Gap gap;
    for (size_t i = 0; i < words; ++i) {
        const size_t begin = i;
        while (i < words && word_at(address, i) == 0)
            ++i;
        if (i - begin > gap.size) gap = {begin, i - begin};
    }
    return gap;
}

}  // namespace

void AddressText::append(std::string_view text) {
    const size_t size = std::min(text.size(), sizeof buffer_ - size_);
    text.copy(buffer_ + size_, size);
    size_ += size;
    cut_ = cut_ || size < text.size();
}

void AddressText::append_number(uint8_t number) {
    append({decimals[number].digits, decimals[number].size});
}

void AddressText::append_inet(Bytes address) {
    constexpr size_t longest = 4 * sizeof(Decimal);
    cut_ = cut_ || sizeof buffer_ - size_ < longest;
    if (cut_) return;
    for (const uint8_t byte : address.first(4)) {
        std::memcpy(buffer_ + size_, decimals[byte].digits, sizeof decimals[byte].digits);
        size_ += decimals[byte].size;
        buffer_[size_++] = '.';
    }
    --size_;
}

// libc's inet_ntop takes 2,000 instructions for an address.
void AddressText::append_inet6(Bytes address) {
    const Gap gap = gap_of(address);
    const bool mapped = gap.size == 5 && word_at(address, 5) == 0xffff;
    const bool holds_inet = gap.begin == 0 && (gap.size == 6 || mapped);
    for (size_t i = 0; i < words; ++i) {
        if (i == gap.begin) {
            append("::");
            i += gap.size;
            if (i == words) return;
        } else if (i != 0) {
            put(':');
        }
        if (i == 6 && holds_inet) return append_inet(address.subspan(12));
        const unsigned word = word_at(address, i);
        for (unsigned shift = 16; shift != 0;) {
            shift -= 4;
            if (word >> shift != 0 || shift == 0) put(hex_digit(word >> shift));
        }
    }
}

void AddressText::append(uint8_t family, Bytes address) {
    if (family == AF_INET && address.size() >= 4) {
        append_inet(address);
    } else if (family == AF_INET6 && address.size() >= 16) {
        append_inet6(address);
    } else {
        append("???");
    }
}

void AddressText::append_hex(Bytes bytes) {
    const size_t most = std::min(bytes.size(), (sizeof buffer_ - size_) / 3);
    cut_ = cut_ || most < bytes.size();
    char* end = buffer_ + size_;
    for (const uint8_t byte : bytes.first(most)) {
        *end++ = hex_digit(byte >> 4);
        *end++ = hex_digit(byte);
        *end++ = ':';
    }
    if (most > 0) size_ += 3 * most - 1;
}

void AddressText::append_length(uint8_t bits) {
    put('/');
    append_number(bits);
}

}  // namespace nlsh
