// What a line of `nlsh FILE` would carry over to the lines after it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace nlsh {

// Each line of such a file is run by itself, so what a shell would keep from one to the next
// (variables, the directory, options, an unfinished command) is lost. Pass it the
// lines in order: it reports the first line that depends on an earlier one.
class Carried {
  public:
    struct Fault {
        size_t line;  // its number: this one's, or an earlier one's that carries something over
        std::string reason;
    };
    // Don't pass comments and blank lines.
    std::optional<Fault> next(size_t number, std::string_view line);

  private:
    class Reading;

    std::map<std::string, size_t, std::less<>> set_;  // variables, and the line that set them
    std::optional<Fault> pending_;  // what matters as soon as there is another line
    size_t background_ = 0;         // the line that has started a background process
    bool first_ = true;
};

}  // namespace nlsh
