// What a line of `nlsh FILE` would carry over to the lines after it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace nlsh {

// Each line of such a file is run by itself, so what a shell would keep from one to the next
// (variables, the directory, options, an unfinished command) is lost. Told the lines in their
// order, it says which one can't be run so.
class Carried {
  public:
    struct Fault {
        size_t line;  // its number: this one's, or an earlier one's that carries something over
        std::string reason;
    };
    // Comments and blank lines aren't asked about.
    std::optional<Fault> next(size_t number, std::string_view line);

  private:
    std::map<std::string, size_t, std::less<>> set_;  // variables, and the line that set them
    std::optional<Fault> pending_;  // what matters as soon as there is another line
    size_t background_ = 0;         // the line that left a process running
    bool first_ = true;
};

}  // namespace nlsh
