#include "backend/net/message.h"

namespace nlsh {

void Message::begin(uint16_t type, uint16_t flags, const void* family_header, size_t size) {
    *header() = nlmsghdr{};
    header()->nlmsg_len = static_cast<uint32_t>(NLMSG_LENGTH(0));
    header()->nlmsg_type = type;
    header()->nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
    append(family_header, size);
}

size_t Message::append(const void* data, size_t size) {
    const size_t offset = NLMSG_ALIGN(header()->nlmsg_len);
    const size_t end = offset + NLMSG_ALIGN(size);
    if (end > capacity) {
        overflow_ = true;
        return NLMSG_HDRLEN;
    }
    if (size > 0) std::memcpy(buffer_ + offset, data, size);
    std::memset(buffer_ + offset + size, 0, end - offset - size);
    header()->nlmsg_len = static_cast<uint32_t>(end);
    return offset;
}

void Message::put(uint16_t type, const void* data, size_t size) {
    const size_t offset = NLMSG_ALIGN(header()->nlmsg_len);
    if (offset + NLA_HDRLEN + NLMSG_ALIGN(size) > capacity) {
        overflow_ = true;
        return;
    }
    const nlattr attribute{.nla_len = static_cast<uint16_t>(NLA_HDRLEN + size), .nla_type = type};
    append(&attribute, sizeof attribute);
    append(data, size);
}

void Message::put_number(uint16_t type, uint64_t value, size_t size) {
    switch (size) {
        case 1:
            return put_u8(type, static_cast<uint8_t>(value));
        case 2:
            return put_u16(type, static_cast<uint16_t>(value));
        case 4:
            return put_u32(type, static_cast<uint32_t>(value));
        default:
            return put_u64(type, value);
    }
}

void Message::put_string(uint16_t type, std::string_view text) {
    const size_t nest = begin_nest(type);
    append(text.data(), text.size());
    const char nul = 0;
    // The value includes the NUL, which may lie in the padding that append has just made.
    const size_t length = NLA_HDRLEN + text.size() + 1;
    if (NLMSG_ALIGN(length) > NLMSG_ALIGN(NLA_HDRLEN + text.size())) append(&nul, 1);
    if (!overflow_) at<nlattr>(nest)->nla_len = static_cast<uint16_t>(length);
}

size_t Message::begin_nest(uint16_t type) {
    const size_t nest = NLMSG_ALIGN(header()->nlmsg_len);
    put(type, nullptr, 0);
    return overflow_ ? static_cast<size_t>(NLMSG_HDRLEN) : nest;
}

void Message::end_nest(size_t nest) {
    if (overflow_) return;
    at<nlattr>(nest)->nla_len = static_cast<uint16_t>(header()->nlmsg_len - nest);
}

KeptMessage::KeptMessage(const nlmsghdr& message)
    : bytes_(std::make_unique_for_overwrite<char[]>(message.nlmsg_len)) {
    std::memcpy(bytes_.get(), &message, message.nlmsg_len);
}

}  // namespace nlsh
