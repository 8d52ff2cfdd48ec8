// Reads /etc/iproute2, and what newer builds have in /usr/share, into NameTables, again when a file
// changes.
#pragma once

#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parser/names.h"

namespace nlsh {

// Where the files are: what the second has counts where the first lacks it, in builds whose trait
// it is.
struct NamePlaces {
    std::string own = "/etc/iproute2";
    std::string shared = "/usr/share/iproute2";
    std::string protocols = "/etc/protocols";  // protocols(5)
};

// Thread-safe. The tables are of this process's mount namespace.
class NameFiles {
  public:
    explicit NameFiles(NamePlaces places = {});
    ~NameFiles();
    // The present tables: one stat for each file and .d directory, parsed again when one differs.
    std::shared_ptr<const NameTables> tables(Traits traits);
    // For a process that runs one command: each file is read when its names are asked for, once.
    // traits: asked then.
    static NameTables on_demand(std::function<Traits()> traits, NamePlaces places = {});
    // The directories that the tables are read from, those that exist, and those that may come.
    std::vector<std::string> directories(Traits traits) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlsh
