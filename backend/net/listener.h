// A netlink socket that hears what changes: multicast groups of rtnetlink(7).
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
    // groups: RTNLGRP_*; of this namespace, or also of all that have a number here. errno on
    // failure.
    static std::expected<Listener, int> open(std::span<const uint32_t> groups,
                                             bool all_namespaces = false);
    // A message, and the number of the namespace that it comes from, -1 for this one. False:
    // enough.
    using Receive = std::function<bool(const nlmsghdr&, int32_t nsid)>;
    // Waits for one datagram and gives each message of it. False: `receive` has enough. errno
    // otherwise; ENOBUFS: messages were lost.
    std::expected<bool, int> wait(const Receive& receive);

  private:
    explicit Listener(Descriptor descriptor);
    Descriptor descriptor_;
    std::unique_ptr<char[]> buffer_;
};

}  // namespace nlsh
