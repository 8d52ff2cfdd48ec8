// `nlsh stats` and `nlsh top`.
#pragma once

#include <string>

namespace nlsh {

enum class StatisticsForm { text, json, prometheus };

// 0; 1: no server answers, which is said on stderr.
int show_statistics(const std::string& socket_prefix, StatisticsForm form);

// What has happened in each interval, until interrupted or `rounds` times (0: no end).
int watch_statistics(const std::string& socket_prefix, double seconds, unsigned rounds);

}  // namespace nlsh
