#include "backend/objects/route/labels.h"

#include <endian.h>
#include <linux/mpls.h>

namespace nlsh {

std::string label_stack(Bytes bytes) {
    std::string text;
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes.size(); at += sizeof(uint32_t)) {
        uint32_t entry;
        std::memcpy(&entry, bytes.data() + at, sizeof entry);
        entry = be32toh(entry);
        if (!text.empty()) text += '/';
        text += std::to_string(entry >> MPLS_LS_LABEL_SHIFT);
        const bool bottom = (entry & MPLS_LS_S_MASK) != 0;
        if (bottom != (at + sizeof entry == bytes.size())) return {};
    }
    return text;
}

}  // namespace nlsh
