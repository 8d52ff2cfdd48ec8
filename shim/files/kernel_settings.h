// Decides which kernel settings a line may write in the server.
#pragma once

#include <string_view>

namespace nlsh {

// Whether the path is a plain name of a file below /proc/sys: no "." or "..", no empty part,
// nothing below a mount (binfmt_misc). A shell would open other paths, but the server doesn't leave
// /proc/sys. False for settings of a UTS, IPC or pid namespace, because the caller's may differ
// from the server's. Pure.
bool names_kernel_setting(std::string_view path);

}  // namespace nlsh
