#include "shim/files/kernel_settings.h"

#include <gtest/gtest.h>

#include <string>

namespace nlsh {
namespace {

TEST(KernelSettings, AreNamedPlainly) {
    for (const char* path : {"/proc/sys/net/ipv4/ip_forward", "/proc/sys/net/ipv4/conf/a.b/mtu",
                             "/proc/sys/net", "/proc/sys/nosuch"})
        EXPECT_TRUE(names_kernel_setting(path)) << path;
    for (const char* path :
         {"", "/proc/sys", "/proc/sys/", "/proc/sys//", "/proc/sys/net/", "/proc/sys/net//ipv4",
          "/proc/sys/../sysrq-trigger", "/proc/sys/net/..", "/proc/sys/./net",
          "/proc/sysrq-trigger", "/proc/sys/fs/binfmt_misc/status", "/etc/passwd", "proc/sys/net"})
        EXPECT_FALSE(names_kernel_setting(path)) << path;
}

TEST(KernelSettings, AreTheNetworksOrTheMachines) {
    for (const char* name : {"kernel/printk", "kernel/panic", "kernel/modprobe", "vm/swappiness"})
        EXPECT_TRUE(names_kernel_setting(std::string("/proc/sys/") + name)) << name;
    for (const char* name : {"kernel/hostname", "kernel/domainname", "kernel/shmmax", "kernel/sem",
                             "kernel/msgmni", "fs/mqueue/msg_max", "kernel/ns_last_pid"})
        EXPECT_FALSE(names_kernel_setting(std::string("/proc/sys/") + name)) << name;
}

}  // namespace
}  // namespace nlsh
