#include "shim/lines/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "shim/files/descriptor_output.h"

namespace nlsh {
namespace {

constexpr std::chrono::milliseconds between{100};  // two drawings
constexpr size_t width = 24;
constexpr std::string_view clear = "\r\033[K";

bool draws(int descriptor, const char* terminal) {
    const std::string_view name = terminal != nullptr ? terminal : "";
    return !name.empty() && name != "dumb" && isatty(descriptor) == 1;
}

int percent_of(const Progress::Place& place) {
    return static_cast<int>(place.done < place.total ? 100 * place.done / place.total : 100);
}

}  // namespace

Progress::Progress(int descriptor, const char* terminal, std::chrono::milliseconds silent)
    : descriptor_(descriptor),
      drawn_(draws(descriptor, terminal)),
      titled_(drawn_ && std::string_view(terminal) != "linux"),
      silent_(silent) {}

Progress::~Progress() {
    hide();
    if (titled_ && percent_ >= 0) DescriptorOutput(descriptor_).write(sequence(-1));
}

std::string Progress::sequence(int percent) {
    return percent < 0 ? "\033]9;4;0\033\\" : fmt::format("\033]9;4;1;{}\033\\", percent);
}

std::string Progress::bar(const Place& place, std::chrono::duration<double> elapsed) {
    const int percent = percent_of(place);
    const auto full = width * static_cast<size_t>(percent) / 100;
    const double seconds = std::max(elapsed.count(), 0.001);
    const double share = static_cast<double>(place.done) / static_cast<double>(place.total);
    const auto left = static_cast<long>(share > 0 ? seconds * (1 - share) / share : 0);
    return fmt::format("[{:#<{}}{:->{}}] {:>3} %  {:.0f} lines/s  {}:{:02} left", "", full, "",
                       width - full, percent, static_cast<double>(place.lines) / seconds, left / 60,
                       left % 60);
}

void Progress::at(const Place& place) {
    if (!drawn_ || place.total == 0) return;
    const auto now = Clock::now();
    if (now - start_ < silent_ || (silent_.count() > 0 && now - latest_ < between)) return;
    latest_ = now;
    const int percent = percent_of(place);
    std::string text;
    if (titled_ && percent != percent_) text = sequence(percent);
    percent_ = percent;
    text += clear;
    text += bar(place, now - start_);
    visible_ = true;
    DescriptorOutput(descriptor_).write(text);
}

void Progress::hide() {
    if (!visible_) return;
    visible_ = false;
    DescriptorOutput(descriptor_).write(clear);
}

}  // namespace nlsh
