// The names of network namespaces: files below /run/netns, in this thread's mount namespace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/net/channel.h"

namespace nlsh {

std::string netns_path(const std::string& name);

// In the directory's order; nullopt: no directory.
std::optional<std::vector<std::string>> netns_names();

// The number of the namespace `name` in the namespace of `channel`; -1: none. nullopt: the file
// isn't a namespace.
std::optional<int32_t> netns_id(Channel& channel, const std::string& name);

// The names of the network namespaces that have a number in this one (ip-netns(8), list-id).
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
