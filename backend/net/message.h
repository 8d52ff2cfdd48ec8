// Builds one netlink message (RFC 3549; linux/netlink.h). Six small functions replace libmnl: the
// executable is static, and Debian has no static libmnl.
#pragma once

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "parser/ip/verb.h"

namespace nlsh {

// The flags of an RTM_NEW… message. A deletion has none.
constexpr uint16_t flags_of(ChangeVerb verb) {
    // add, change, replace, prepend, append, test, remove
    constexpr uint16_t flags[] = {NLM_F_CREATE | NLM_F_EXCL,
                                  NLM_F_REPLACE,
                                  NLM_F_CREATE | NLM_F_REPLACE,
                                  NLM_F_CREATE,
                                  NLM_F_CREATE | NLM_F_APPEND,
                                  NLM_F_EXCL,
                                  0};
    return flags[static_cast<size_t>(verb)];
}
// A family header with only the family set, which is the first byte of every one.
template <typename Header>
Header of_family(uint8_t family) {
    Header header{};
    std::memcpy(&header, &family, sizeof family);
    return header;
}
// RTM_GET…: the third of each four numbers.
constexpr bool asks(const nlmsghdr& message) {
    return message.nlmsg_type >= RTM_BASE && (message.nlmsg_type - RTM_BASE) % 4 == 2;
}

inline constexpr uint16_t flags_of_bulk = 0x200;  // NLM_F_BULK of a deletion, Linux 5.19

// A request in a fixed buffer. Attributes that don't fit set `overflow`, like the bound of
// addattr_l.
class Message {
  public:
    static constexpr size_t capacity = 16384;

    // flags: NLM_F_REQUEST is added. `family_header` is ifinfomsg, rtmsg, …
    template <typename Header>
    Message(uint16_t type, uint16_t flags, const Header& family_header) {
        static_assert(std::is_trivially_copyable_v<Header>);
        begin(type, flags, &family_header, sizeof family_header);
    }

    void put(uint16_t type, const void* data, size_t size);
    void put(uint16_t type, std::span<const uint8_t> bytes) {
        put(type, bytes.data(), bytes.size());
    }
    void put_u8(uint16_t type, uint8_t value) { put(type, &value, sizeof value); }
    void put_u16(uint16_t type, uint16_t value) { put(type, &value, sizeof value); }
    void put_u32(uint16_t type, uint32_t value) { put(type, &value, sizeof value); }
    void put_u64(uint16_t type, uint64_t value) { put(type, &value, sizeof value); }
    // 1, 2, 4 or 8 bytes.
    void put_number(uint16_t type, uint64_t value, size_t size);
    void put_flag(uint16_t type) { put(type, nullptr, 0); }
    void put_string(uint16_t type, std::string_view text);  // with its NUL
    void put_bytes(uint16_t type, std::string_view text) { put(type, text.data(), text.size()); }
    // A nest's offset, for end_nest. `type` may carry NLA_F_NESTED.
    size_t begin_nest(uint16_t type);
    void end_nest(size_t nest);
    // Appends a bare structure (rtnexthop, the ifinfomsg of a veth's peer). Returns its offset;
    // at() patches it.
    size_t append(const void* data, size_t size);
    template <typename T>
    T* at(size_t offset) {
        return reinterpret_cast<T*>(buffer_ + offset);
    }
    // The family header: message.family_header<ifinfomsg>()->ifi_index = …
    template <typename Header>
    Header* family_header() {
        return at<Header>(NLMSG_HDRLEN);
    }

    nlmsghdr* header() { return reinterpret_cast<nlmsghdr*>(buffer_); }
    const nlmsghdr* header() const { return reinterpret_cast<const nlmsghdr*>(buffer_); }
    size_t size() const { return header()->nlmsg_len; }
    bool overflow() const { return overflow_; }

  private:
    void begin(uint16_t type, uint16_t flags, const void* family_header, size_t size);

    alignas(NLMSG_ALIGNTO) char buffer_[capacity];
    bool overflow_ = false;
};

// A copy of a received message, which survives the receive buffer.
class KeptMessage {
  public:
    explicit KeptMessage(const nlmsghdr& message);
    const nlmsghdr& operator*() const { return *reinterpret_cast<const nlmsghdr*>(bytes_.get()); }

  private:
    std::unique_ptr<char[]> bytes_;
};

}  // namespace nlsh
