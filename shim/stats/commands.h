// `nlsh stats` and `nlsh top`.
#pragma once

#include <string>

namespace nlsh {

enum class StatisticsForm { text, json, prometheus };

// Returns 0; 1, with a message, if no server answers. reset: sets the server's counters to 0
// afterwards.
int show_statistics(const std::string& socket_prefix, StatisticsForm form, bool reset);

// Shows every interval's statistics, until interrupted or `rounds` times (0: no end).
int watch_statistics(const std::string& socket_prefix, double seconds, unsigned rounds);

}  // namespace nlsh
