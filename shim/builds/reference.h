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
// /bin; never nlsh itself (an installed shim). Empty: there is none.
std::string reference_path(Tool tool);
// The place that is searched first, after $NLSH_REAL_….
std::string preferred_reference(Tool tool);

// Gets each file before it is read.
using Observe = std::function<void(const std::string& path)>;
// What is known of the file's build: recorded in profile.h, or found out and kept in a file
// (qualified_record.h, build_record.h). Nothing: every command falls back.
std::optional<Profile> reference_profile(Tool tool, const std::string& path,
                                         const Observe& observe = {});
// The version that an unknown binary claims; empty: none. For reasons: reads the whole file.
std::string reference_version(const std::string& path);

struct Reference {
    std::string path;
    std::optional<Profile> profile;  // see reference_profile()
};

// Both tools, each looked up once, when needed. Not thread-safe.
class References {
  public:
    explicit References(Observe observe = {}) : observe_(std::move(observe)) {}

    const Reference& operator[](Tool tool);
    // Whether the tools that were looked up exist and have known builds.
    bool known() const;
    // No trait is known if the build isn't.
    Traits traits(Tool tool);
    // Of `bridge` (profile.h).
    std::string fdb_usage();
    // Traits that name tables depend on, which both tools share: unknown if the tools differ.
    Traits traits_of_names();

  private:
    Observe observe_;
    std::array<std::optional<Reference>, 2> known_;  // by tool
};

}  // namespace nlsh
