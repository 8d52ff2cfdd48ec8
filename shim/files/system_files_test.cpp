#include "shim/files/system_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nlsh {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SystemFiles, MountsInSettings) {
    EXPECT_THAT(
        mounts_in_settings("22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
                           "23 22 0:20 / /proc rw - proc proc rw\n"
                           "24 23 0:20 /sys /proc/sys ro - proc proc rw\n"
                           "25 23 0:20 /sysrq-trigger /proc/sysrq-trigger ro - proc p rw\n"),
        IsEmpty());
    EXPECT_THAT(
        mounts_in_settings("24 23 0:20 /sys/net /proc/sys/net rw - proc proc rw\n"
                           "25 23 0:9 / /proc/sys/fs/binfmt_misc rw shared:2 - autofs a rw\n"
                           "26 23 8:1 /f /proc/sys/net/ipv6/conf/lo/mtu rw - ext4 d rw\n"),
        ElementsAre("/proc/sys/net", "/proc/sys/fs/binfmt_misc", "/proc/sys/net/ipv6/conf/lo/mtu"));
    EXPECT_THAT(mounts_in_settings("24 23 0:30 / /proc/sys rw - tmpfs none rw\n"),
                ElementsAre("/proc/sys"));
}

TEST(SystemFiles, OfThisMachine) {
    SystemFiles files;
    EXPECT_TRUE(files.null_discards());
    EXPECT_FALSE(files.has_setting("/proc/sys/../version"));
    EXPECT_FALSE(files.has_setting("/etc/passwd"));
}

}  // namespace
}  // namespace nlsh
