// The names of programs that call, as numbers: so that counting is by an index.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

// Thread-safe. A machine's daemons come and go, as processes, by the thousand; their names don't.
class Programs {
  public:
    static constexpr size_t others = 0;  // those beyond the first `max`, and what has no name
    static constexpr size_t max = 64;

    size_t number(std::string_view name);
    std::vector<std::string> names() const;

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> names_{"other"};
};

}  // namespace nlsh
