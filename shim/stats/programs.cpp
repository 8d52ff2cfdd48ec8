#include "shim/stats/programs.h"

#include <algorithm>

namespace nlsh {

size_t Programs::number(std::string_view name) {
    if (name.empty()) return others;
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(names_, name);
    if (known != names_.end()) return static_cast<size_t>(known - names_.begin());
    if (names_.size() == max) return others;
    names_.emplace_back(name);
    return names_.size() - 1;
}

std::vector<std::string> Programs::names() const {
    const std::lock_guard lock(mutex_);
    return names_;
}

}  // namespace nlsh
