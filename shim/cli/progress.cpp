#include "shim/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "shim/engine/descriptor_output.h"

namespace nlsh {
namespace {

bool takes_sequences(int descriptor, const char* terminal) {
    const std::string_view name = terminal != nullptr ? terminal : "";
    return !name.empty() && name != "dumb" && name != "linux" && isatty(descriptor) == 1;
}

}  // namespace

Progress::Progress(int descriptor, const char* terminal, std::chrono::milliseconds silent)
    : descriptor_(descriptor), shown_(takes_sequences(descriptor, terminal)), silent_(silent) {}

Progress::~Progress() {
    if (percent_ >= 0) DescriptorOutput(descriptor_).write(sequence(-1));
}

std::string Progress::sequence(int percent) {
    return percent < 0 ? "\033]9;4;0\033\\" : fmt::format("\033]9;4;1;{}\033\\", percent);
}

void Progress::at(size_t done, size_t total) {
    if (!shown_ || total == 0) return;
    const int percent = static_cast<int>(done < total ? 100 * done / total : 100);
    if (percent == percent_ || std::chrono::steady_clock::now() - start_ < silent_) return;
    percent_ = percent;
    DescriptorOutput(descriptor_).write(sequence(percent));
}

}  // namespace nlsh
