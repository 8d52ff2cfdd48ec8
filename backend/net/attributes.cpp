#include "backend/net/attributes.h"

#include <algorithm>

namespace nlsh {

Bytes Attribute::bytes() const {
    if (attribute_ == nullptr) return {};
    return {reinterpret_cast<const uint8_t*>(attribute_) + NLA_HDRLEN,
            static_cast<size_t>(attribute_->nla_len - NLA_HDRLEN)};
}

std::string_view Attribute::string() const {
    const Bytes data = bytes();
    const auto end = std::ranges::find(data, uint8_t{0});
    return {reinterpret_cast<const char*>(data.data()), static_cast<size_t>(end - data.begin())};
}

void AttributeRange::Iterator::check() {
    nlattr header;
    if (bytes_.size() >= NLA_HDRLEN) {
        std::memcpy(&header, bytes_.data(), sizeof header);
        if (header.nla_len >= NLA_HDRLEN && header.nla_len <= bytes_.size()) return;
    }
    bytes_ = {};
}

AttributeRange::Iterator& AttributeRange::Iterator::operator++() {
    nlattr header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    bytes_ = bytes_.subspan(std::min<size_t>(NLA_ALIGN(header.nla_len), bytes_.size()));
    check();
    return *this;
}

}  // namespace nlsh
