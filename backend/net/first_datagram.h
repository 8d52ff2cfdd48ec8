// For dumps that the kernel goes on with differently in a second datagram: what comes then depends
// on the sizes of iproute2's datagrams.
#pragma once

#include <linux/netlink.h>

#include <cstddef>

namespace nlsh {

// Counts the messages of one dump. The first datagram holds a page without sk_buff's own part.
class FirstDatagram {
  public:
    // Whether it still holds this message, the dump's next.
    bool holds(const nlmsghdr& message) {
        bytes_ += NLMSG_ALIGN(size_t{message.nlmsg_len});
        return bytes_ <= size;
    }

  private:
    static constexpr size_t size = 3712;
    size_t bytes_ = 0;
};

}  // namespace nlsh
