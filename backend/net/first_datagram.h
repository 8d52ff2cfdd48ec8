// For dumps that the kernel continues differently in a second datagram: their output depends on the
// sizes of iproute2's datagrams.
#pragma once

#include <linux/netlink.h>

#include <cstddef>

namespace nlsh {

// Counts the messages of one dump. The first datagram holds a page, less sk_buff's own part.
class FirstDatagram {
  public:
    // Whether the first datagram still holds this message, the next of the dump.
    bool holds(const nlmsghdr& message) {
        bytes_ += NLMSG_ALIGN(size_t{message.nlmsg_len});
        return bytes_ <= size;
    }

  private:
    static constexpr size_t size = 3712;
    size_t bytes_ = 0;
};

}  // namespace nlsh
