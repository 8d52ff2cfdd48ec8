// A netlink socket that receives notifications: multicast groups of rtnetlink(7).
#pragma once

#include <linux/netlink.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>

#include "backend/descriptor.h"

namespace nlsh {

class Listener {
  public:
    // groups: RTNLGRP_*, of this namespace, or also of all namespaces that have a number here.
    // Fails with an errno.
    static std::expected<Listener, int> open(std::span<const uint32_t> groups,
                                             bool all_namespaces = false);
    // Gets a message, and the number of its namespace (-1: this one). Return false: enough.
    using Receive = std::function<bool(const nlmsghdr&, int32_t nsid)>;
    // Waits for one datagram and gives each of its messages to `receive`. False: `receive` has
    // enough. Fails with an errno; ENOBUFS: messages were lost.
    std::expected<bool, int> wait(const Receive& receive);

  private:
    explicit Listener(Descriptor descriptor);
    Descriptor descriptor_;
    std::unique_ptr<char[]> buffer_;
};

}  // namespace nlsh
