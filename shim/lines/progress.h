// Shows on a terminal how far a long file has run.
#pragma once

#include <chrono>
#include <string>

namespace nlsh {

// Redraws a line on stderr, `[####------]  40 %  1200 lines/s  0:05 left`, and removes it before
// anything else is written. Sends OSC 9;4, too, which some terminals show in the title or task bar.
class Progress {
  public:
    using Clock = std::chrono::steady_clock;
    // How far the file has run: bytes and lines.
    struct Place {
        size_t done = 0;
        size_t total = 0;  // 0: not known
        size_t lines = 0;
    };

    // descriptor: standard error. terminal: $TERM. Shows nothing if `descriptor` isn't a terminal,
    // if the terminal would print the sequences, or before `silent` is over.
    Progress(int descriptor, const char* terminal,
             std::chrono::milliseconds silent = std::chrono::milliseconds(500));
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(const Place& place);
    // Removes the line, before something else is written.
    void hide();
    // The OSC sequence for a percentage; less than 0: removes the bar.
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
