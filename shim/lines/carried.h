// Finds lines of `nlsh FILE` that depend on earlier lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace nlsh {

// nlsh runs each line by itself, and loses what a shell would carry over to the next line
// (variables, the directory, options, an unfinished command). Pass the lines in order: next()
// reports the first one that depends on an earlier one.
class Carried {
  public:
    struct Fault {
        size_t line;  // the line to blame: this one, or the earlier one that carries something over
        std::string reason;
    };
    // Don't pass comments and blank lines.
    std::optional<Fault> next(size_t number, std::string_view line);

  private:
    class Reading;

    std::map<std::string, size_t, std::less<>> set_;  // variables, and the line that set them
    std::optional<Fault> pending_;  // the fault to report as soon as another line follows
    size_t background_ = 0;         // the line that has started a background process
    bool first_ = true;
};

}  // namespace nlsh
