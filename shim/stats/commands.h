// `nlsh stats` and `nlsh top`.
#pragma once

#include <string>

namespace nlsh {

enum class StatisticsForm { text, json, prometheus };

// Returns 1, and says so on stderr, when no server answers; 0 otherwise. reset: the server counts
// from 0 afterwards.
int show_statistics(const std::string& socket_prefix, StatisticsForm form, bool reset);

// What has happened in each interval, until interrupted or `rounds` times (0: no end).
int watch_statistics(const std::string& socket_prefix, double seconds, unsigned rounds);

}  // namespace nlsh
