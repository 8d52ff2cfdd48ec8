// How far a long file is, for who watches a terminal.
#pragma once

#include <chrono>
#include <string>

namespace nlsh {

// By the terminal's own means, OSC 9;4 (as systemd, Windows Terminal, ConEmu, Ghostty and WezTerm
// have it): a bar in the title or the task bar. Nothing of it stands among the commands' output;
// terminals that don't know it show nothing.
class Progress {
  public:
    // descriptor: standard error. terminal: $TERM. Silent when it isn't a terminal, or one that
    // would print the sequence; and in the first moments, for who is done soon needs none.
    Progress(int descriptor, const char* terminal,
             std::chrono::milliseconds silent = std::chrono::milliseconds(500));
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // done of total, in any unit; total 0: not known.
    void at(size_t done, size_t total);
    // What is said for so many percent; less than 0: no bar any more.
    static std::string sequence(int percent);

  private:
    const int descriptor_;
    const bool shown_;
    const std::chrono::milliseconds silent_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    int percent_ = -1;
};

}  // namespace nlsh
