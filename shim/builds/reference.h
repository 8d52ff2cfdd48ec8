// The real iproute2 on this machine.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "parser/ip/options.h"
#include "shim/builds/profile.h"

namespace nlsh {

// The path of the real ip or bridge: $NLSH_REAL_IP / $NLSH_REAL_BRIDGE, /usr/sbin, /sbin, /usr/bin,
// /bin; never nlsh itself (a shim installed in their place). Empty when there is none.
std::string reference_path(Tool tool);
// Where one would come before all others but $NLSH_REAL_…'s.
std::string preferred_reference(Tool tool);

// What is known of the build that the file is: written down (profile.h), or found out and kept in a
// file (build_record.h). Nothing: it is left to itself, every command falls back.
std::optional<Profile> reference_profile(Tool tool, const std::string& path);
// The version that such another binary has by its own words; empty when it has none. For reasons:
// the whole file is read.
std::string reference_version(const std::string& path);

struct Reference {
    std::string path;
    std::optional<Profile> profile;  // as reference_profile() has it
};

// Both, looked up when they are asked for, once. Not thread-safe.
class References {
  public:
    // observe is told of each file before it is looked at.
    using Observe = std::function<void(const std::string& path)>;
    explicit References(Observe observe = {}) : observe_(std::move(observe)) {}

    const Reference& operator[](Tool tool);
    // Those that were asked for are there, and builds that are known.
    bool known() const;
    // Of no known trait when the build isn't known.
    Traits traits(Tool tool);
    // Of `bridge` (profile.h).
    std::string fdb_usage();
    // What name tables depend on, which both share: not known where they don't agree.
    Traits traits_of_names();

  private:
    Observe observe_;
    std::array<std::optional<Reference>, 2> known_;  // by tool
};

}  // namespace nlsh
