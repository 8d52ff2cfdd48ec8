// Reads /etc/iproute2 into NameTables, again when a file changes.
#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "parser/names.h"

namespace nlsh {

// Thread-safe. The tables are of this process's mount namespace.
class NameFiles {
  public:
    explicit NameFiles(std::string directory = "/etc/iproute2");
    ~NameFiles();
    // The present tables: one stat for each file and .d directory, parsed again when one differs.
    std::shared_ptr<const NameTables> tables();
    // For a process that runs one command: each file is read when its names are asked for, once.
    static NameTables on_demand(std::string directory = "/etc/iproute2");
    // The directories that the tables are read from, those that exist.
    std::vector<std::string> directories() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlsh
