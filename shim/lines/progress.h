// How far a long file is, for who watches a terminal.
#pragma once

#include <chrono>
#include <string>

namespace nlsh {

// A line that is drawn over itself at standard error, `[####------]  40 %  1200 lines/s  0:05
// left`, and is taken away before anything else is written; and OSC 9;4, a bar in the title or the
// task bar (systemd, Windows Terminal, ConEmu, Ghostty and WezTerm have it).
class Progress {
  public:
    using Clock = std::chrono::steady_clock;
    // How far it is: bytes of the file, and lines.
    struct Place {
        size_t done = 0;
        size_t total = 0;  // 0: not known
        size_t lines = 0;
    };

    // descriptor: standard error. terminal: $TERM. Silent when it isn't a terminal, or one that
    // would print the sequences; and in the first moments, for who is done soon needs none.
    Progress(int descriptor, const char* terminal,
             std::chrono::milliseconds silent = std::chrono::milliseconds(500));
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(const Place& place);
    // Something else is to be written now.
    void hide();
    // What is said for so many percent; less than 0: no bar any more.
    static std::string sequence(int percent);
    static std::string bar(const Place& place, std::chrono::duration<double> elapsed);

  private:
    const int descriptor_;
    const bool drawn_;   // the terminal can draw over a line
    const bool titled_;  // it knows OSC 9;4, or ignores it
    const std::chrono::milliseconds silent_;
    const Clock::time_point start_ = Clock::now();
    Clock::time_point latest_{};
    int percent_ = -1;
    bool visible_ = false;
};

}  // namespace nlsh
