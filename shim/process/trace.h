// NLSH_TRACE: a line for each call, appended to a file (nlsh(1)). The preload writes the same form.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "backend/shell/evaluate.h"

namespace nlsh {

// function TAB native|fallback TAB status TAB microseconds TAB line TAB reason-or-failure TAB way
// NEWLINE. Blanks replace tabs and newlines in line and reason. The ways: `server`, `spawned: WHY`
// (nlsh in a shell's place, and why no server served the caller), `inproc` (in the process itself),
// `real` (libc's function, the shell or the tool).
class Trace {
  public:
    using Clock = std::chrono::steady_clock;
    // The file that $NLSH_TRACE names; without one nothing is written.
    Trace();
    explicit Trace(std::string path) : path_(std::move(path)) {}
    // The way of all calls from now on.
    void spawned(std::string_view why) { way_ = std::string("spawned: ").append(why); }

    bool on() const { return !path_.empty(); }
    // start: when the line began to run.
    void native(std::string_view function, std::string_view line, const Evaluation& evaluation,
                Clock::time_point start) const;
    // One command or batch. rest: why the real tool ran the rest; empty: all was native.
    void tool(std::string_view function, std::string_view line, int status, std::string_view rest,
              Clock::time_point start) const;
    void fallback(std::string_view function, std::string_view line, std::string_view reason) const;

  private:
    void append(const std::string& text) const;
    std::string path_;
    std::string way_;  // empty: inproc or real
};

// "command 2 failed: /sbin/ip link add …: RTNETLINK answers: File exists"; empty when none did.
std::string describe_failure(const Evaluation& evaluation);

}  // namespace nlsh
