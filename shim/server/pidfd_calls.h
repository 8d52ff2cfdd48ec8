// Calls of a pidfd that are newer than the headers that we build with (ioctl_pidfd(2); Linux 6.11).
// Each gives a descriptor of that namespace of the process.
#pragma once

#include <sys/ioctl.h>

namespace nlsh {

inline constexpr unsigned long pidfd_ipc_namespace = _IO(0xff, 2);
inline constexpr unsigned long pidfd_mount_namespace = _IO(0xff, 3);
inline constexpr unsigned long pidfd_user_namespace = _IO(0xff, 9);
inline constexpr unsigned long pidfd_uts_namespace = _IO(0xff, 10);

}  // namespace nlsh
