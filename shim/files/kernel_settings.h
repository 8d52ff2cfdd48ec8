// Which paths are settings of the kernel's that a line may write to in the server.
#pragma once

#include <string_view>

namespace nlsh {

// A file below /proc/sys by its plain name: no "." or "..", no empty part, nothing behind a mount
// (binfmt_misc). Others are opened differently by a shell than by the server, which keeps beneath
// /proc/sys. Nor a setting that each UTS, IPC or pid namespace has of its own: a caller may be in
// another one than the server. Pure.
bool names_kernel_setting(std::string_view path);

}  // namespace nlsh
