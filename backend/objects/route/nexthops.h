// The nexthop objects to which routes refer by number.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "backend/context.h"
#include "backend/objects/link/query.h"

namespace nlsh {

// Asks for each object once, on the session's second socket, because the first is busy with the
// dump of routes.
class NexthopObjects {
  public:
    NexthopObjects(Context& context, const Options& options)
        : context_(context), options_(options) {}
    // RTM_NEWNEXTHOP, valid as long as this object; null: the kernel gives none.
    const nlmsghdr* find(uint32_t id);

  private:
    Context& context_;
    const Options& options_;
    std::unordered_map<uint32_t, std::optional<KeptMessage>> known_;
};

}  // namespace nlsh
