// The names of network namespaces: files below /run/netns, in this thread's mount namespace.
#pragma once

#include <cstdint>
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

}  // namespace nlsh
