// Reads a message's attributes without trusting any length in it.
#pragma once

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "backend/net/message.h"

namespace nlsh {

using Bytes = std::span<const uint8_t>;

// A view of one attribute in the message; valid as long as the message.
class Attribute {
  public:
    Attribute() = default;
    explicit Attribute(const nlattr* attribute) : attribute_(attribute) {}

    explicit operator bool() const { return attribute_ != nullptr; }
    uint16_t type() const { return attribute_->nla_type & NLA_TYPE_MASK; }
    Bytes bytes() const {
        if (attribute_ == nullptr) return {};
        return {reinterpret_cast<const uint8_t*>(attribute_) + NLA_HDRLEN,
                static_cast<size_t>(attribute_->nla_len - NLA_HDRLEN)};
    }
    size_t size() const { return bytes().size(); }
    // The value, zero-extended or cut when the attribute's size differs.
    template <typename T>
    T as() const {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        const Bytes data = bytes();
        if (data.size() >= sizeof value) {  // nearly always: no call of memcpy
            std::memcpy(&value, data.data(), sizeof value);
        } else if (!data.empty()) {
            std::memcpy(&value, data.data(), data.size());
        }
        return value;
    }
    uint8_t u8() const { return as<uint8_t>(); }
    uint16_t u16() const { return as<uint16_t>(); }
    uint32_t u32() const { return as<uint32_t>(); }
    uint64_t u64() const { return as<uint64_t>(); }
    // Up to the first NUL.
    std::string_view string() const {
        const Bytes data = bytes();
        if (data.empty()) return {};
        const auto* text = reinterpret_cast<const char*>(data.data());
        return {text, strnlen(text, data.size())};
    }

  private:
    const nlattr* attribute_ = nullptr;
};

// Walks a run of attributes: `for (Attribute a : AttributeRange(bytes))`. Stops at a broken one.
class AttributeRange {
  public:
    explicit AttributeRange(Bytes bytes) : bytes_(bytes) {}
    class Iterator {
      public:
        explicit Iterator(Bytes bytes) : bytes_(bytes) { check(); }
        Attribute operator*() const {
            return Attribute(reinterpret_cast<const nlattr*>(bytes_.data()));
        }
        Iterator& operator++() {
            const size_t step = NLA_ALIGN(size_t{length()});
            bytes_ = bytes_.subspan(step < bytes_.size() ? step : bytes_.size());
            check();
            return *this;
        }
        bool operator==(const Iterator& other) const {
            return bytes_.size() == other.bytes_.size();
        }

      private:
        // Precondition: a header is left.
        uint16_t length() const {
            nlattr header;
            std::memcpy(&header, bytes_.data(), sizeof header);
            return header.nla_len;
        }
        void check() {
            if (bytes_.size() < NLA_HDRLEN || length() < NLA_HDRLEN || length() > bytes_.size())
                bytes_ = {};
        }
        Bytes bytes_;
    };
    Iterator begin() const { return Iterator(bytes_); }
    Iterator end() const { return Iterator(Bytes{}); }

  private:
    Bytes bytes_;
};

// Attributes by type. The FIRST of a type wins, as in iproute2's parse_rtattr. Types above Max are
// dropped.
template <size_t Max>
class Attributes {
  public:
    explicit Attributes(Bytes bytes) {
        for (Attribute attribute : AttributeRange(bytes)) {
            const uint16_t type = attribute.type();
            if (type <= Max && !table_[type]) table_[type] = attribute;
        }
    }
    explicit Attributes(Attribute nest) : Attributes(nest ? nest.bytes() : Bytes{}) {}
    Attribute operator[](size_t type) const { return type <= Max ? table_[type] : Attribute{}; }

  private:
    std::array<Attribute, Max + 1> table_{};
};

// The family header of a message, or null when the message is too short for it.
template <typename Header>
const Header* family_header(const nlmsghdr& message) {
    if (message.nlmsg_len < NLMSG_LENGTH(sizeof(Header))) return nullptr;
    return reinterpret_cast<const Header*>(reinterpret_cast<const char*>(&message) + NLMSG_HDRLEN);
}
// The bytes after the family header.
template <typename Header>
Bytes attribute_bytes(const nlmsghdr& message) {
    const size_t offset = NLMSG_SPACE(sizeof(Header));
    if (message.nlmsg_len < offset) return {};
    return {reinterpret_cast<const uint8_t*>(&message) + offset, message.nlmsg_len - offset};
}

// A request with the header and attributes of a received message.
template <typename Header>
Message repeated(uint16_t type, const nlmsghdr& message) {
    Message copy(type, 0, *family_header<Header>(message));
    const Bytes attributes = attribute_bytes<Header>(message);
    copy.append(attributes.data(), attributes.size());
    return copy;
}

}  // namespace nlsh
