// The names of the network namespaces that have a number in this one (ip-netns(8), list-id).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "backend/net/channel.h"

namespace nlsh {

// Lives as long as one command. Loading asks the kernel, so don't load during a dump.
class NetnsIds {
  public:
    explicit NetnsIds(Channel& channel) : channel_(channel) {}

    // False: a file isn't a namespace, so iproute2 would complain.
    bool load();
    // The same, once.
    bool loaded() { return loaded_ || load(); }
    // True if loaded() would ask the kernel. If no namespace has a name, this stays false for the
    // whole command: a name that appears later isn't looked up.
    bool needs_lookup();

    // The first of several names; null: none. Valid until the next load() or forget().
    const std::string* name(int32_t id) const;
    void forget(int32_t id) { names_.erase(id); }

  private:
    Channel& channel_;
    std::map<int32_t, std::string> names_;
    bool loaded_ = false;
};

}  // namespace nlsh
