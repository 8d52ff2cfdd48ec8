// Reads /etc/iproute2, and /usr/share of newer builds, into NameTables, again after a file changes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parser/names.h"

namespace nlsh {

// The files' places. In builds with that trait, the second place counts for files that the first
// lacks.
struct NamePlaces {
    std::string own = "/etc/iproute2";
    std::string shared = "/usr/share/iproute2";
    std::string protocols = "/etc/protocols";  // protocols(5)
};

// Thread-safe. Reads the files of this process's mount namespace.
class NameFiles {
  public:
    explicit NameFiles(NamePlaces places = {});
    ~NameFiles();
    // Returns the present tables: one stat for each file and .d directory; a change leads to
    // parsing.
    std::shared_ptr<const NameTables> tables(Traits traits);
    // For a process that runs one command: reads each file once, when its names are needed. traits:
    // asked then.
    static NameTables on_demand(std::function<Traits()> traits, NamePlaces places = {});
    // The directories that the tables depend on, existing or not.
    std::vector<std::string> directories(Traits traits) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlsh
