#include "shim/engine/descriptor_output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace nlsh {

bool DescriptorOutput::write(std::string_view bytes) {
    used_ = used_ || !bytes.empty();
    while (!bytes.empty() && !broken_) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<size_t>(written));
        } else if (errno == EAGAIN) {
            // The reader's pipe is non-blocking and full: iproute2's stdio drops what doesn't fit.
            break;
        } else if (errno != EINTR) {
            broken_ = true;
            if (errno != EPIPE) error_ = errno;
        }
    }
    return !broken_;
}

std::optional<bool> DescriptorOutput::is_terminal() const {
    return isatty(descriptor_) == 1;
}

}  // namespace nlsh
