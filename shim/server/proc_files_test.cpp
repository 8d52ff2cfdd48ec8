#include "shim/server/proc_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace nlsh {
namespace {

TEST(ProcFiles, ReadsBelowProcSys) {
    ProcFiles files;
    const auto text = files.read("/proc/sys/kernel/ostype");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "Linux\n");
    EXPECT_TRUE(S_ISREG(*files.mode("/proc/sys/kernel/ostype")));
    EXPECT_TRUE(S_ISDIR(*files.mode("/proc/sys/net")));
}

TEST(ProcFiles, NothingElse) {
    ProcFiles files;
    for (const char* path : {"/etc/passwd", "/proc/sys/../version", "/proc/sys/net/../../version",
                             "/proc/self/status", "proc/sys/kernel/ostype", "/proc/sysx", ""}) {
        EXPECT_FALSE(files.read(path)) << path;
        EXPECT_FALSE(files.open(path, false)) << path;
        EXPECT_FALSE(files.mode(path)) << path;
    }
    EXPECT_FALSE(files.open("/proc/sys/no_such_file", false));
}

TEST(ProcFiles, DevNull) {
    const auto null = ProcFiles().open("/dev/null", false);
    ASSERT_TRUE(null);
    EXPECT_TRUE((*null)->write("gone"));
}

}  // namespace
}  // namespace nlsh
