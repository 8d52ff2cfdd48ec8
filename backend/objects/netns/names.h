// The names of network namespaces: files below /run/netns, as this thread's mount namespace has it.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "backend/net/channel.h"

namespace nlsh {

std::string netns_path(const std::string& name);

// In the directory's order; nullopt when there is no directory.
std::optional<std::vector<std::string>> netns_names();

// The number by which the namespace of `channel` knows the namespace `name`; -1: none. nullopt: the
// file isn't a namespace's.
std::optional<int32_t> netns_id(Channel& channel, const std::string& name);

}  // namespace nlsh
