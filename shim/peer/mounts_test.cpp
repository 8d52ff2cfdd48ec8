#include "shim/peer/mounts.h"

#include <gtest/gtest.h>

#include <string>

namespace nlsh {
namespace {

const std::string machine =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "23 22 0:20 / /proc rw,nosuid shared:2 - proc proc rw\n"
    "24 22 0:21 / /sys rw shared:3 - sysfs sysfs rw\n"
    "25 22 0:22 / /run rw shared:4 - tmpfs tmpfs rw\n";

TEST(Mounts, SameFiles) {
    EXPECT_TRUE(same_mounts(machine, machine));
    const std::string copied =
        "122 100 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
        "125 122 0:22 / /run rw master:4 - tmpfs tmpfs rw\n"
        "123 122 0:20 / /proc rw,nosuid - proc proc rw\n";
    EXPECT_TRUE(same_mounts(machine, copied + "124 122 0:77 / /sys rw - sysfs b rw\n"));
    EXPECT_TRUE(same_mounts(machine, copied + "124 122 0:21 / /sys rw - sysfs s rw\n"
                                              "130 123 0:78 / /proc rw - proc proc rw\n"));
    EXPECT_FALSE(same_mounts(machine, copied));  // without /sys
}

TEST(Mounts, OtherFiles) {
    for (const char* more : {
             "90 22 8:1 /other /etc/iproute2 rw - ext4 /dev/sda1 rw\n",
             "90 25 0:90 / /run rw - tmpfs tmpfs rw\n",
             "90 22 0:20 /sys /proc/sys ro - proc proc rw\n",
             "90 22 0:91 / /proc ro - proc proc rw\n",
             "90 22 0:91 /1 /proc rw - proc proc rw\n",
             "90 22 0:91 / /systems rw - tmpfs tmpfs rw\n",
             "90 22 0:91 / /sys\n",
             "90 22 0:91 / /sys rw - tmpfs tmpfs rw\n",
             "90 22 0:21 /class /sys rw - sysfs sysfs rw\n",
             "90 24 0:91 / /sys/class/net rw - tmpfs tmpfs rw\n",
             "90 22 0:91 / /dev rw - tmpfs tmpfs rw\n",
             "90 22 0:91 / /dev/net rw - tmpfs tmpfs rw\n",
             "90 22 8:1 /file /dev/net/tun rw - ext4 /dev/sda1 rw\n",
             "90 22 8:1 /file /dev/null rw - ext4 /dev/sda1 rw\n",
         }) {
        EXPECT_FALSE(same_mounts(machine, machine + more)) << more;
        EXPECT_FALSE(same_mounts(machine + more, machine)) << more;
    }
    EXPECT_TRUE(same_mounts(machine, machine + "90 22 0:91 / /dev/shm rw - tmpfs tmpfs rw\n"));
    EXPECT_TRUE(same_mounts(machine, machine + "90 24 0:91 / /sys/fs/cgroup rw - cgroup2 c rw\n"));
    EXPECT_TRUE(same_mounts(machine, machine + "90 22 0:91 / /dev/network rw - tmpfs t rw\n"));
    const std::string covered = "90 25 0:90 / /run rw - tmpfs tmpfs rw\n";
    EXPECT_TRUE(same_mounts(machine + covered, machine + covered));
    EXPECT_FALSE(same_mounts("", ""));
    // One that is gone may have been replaced by another of its name, which is gone, too.
    const std::string deleted = "90 22 8:1 /gone//deleted /etc/iproute2 rw - ext4 /dev/sda1 rw\n";
    EXPECT_FALSE(same_mounts(machine + deleted, machine + deleted));
    std::string read_only = machine;
    read_only.replace(read_only.find("rw"), 2, "ro");
    EXPECT_FALSE(same_mounts(machine, read_only));
}

}  // namespace
}  // namespace nlsh
