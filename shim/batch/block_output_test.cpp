#include "shim/batch/block_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace nlsh {
namespace {

TEST(BlockOutput, WritesFullBuffers) {
    StringOutput out;
    BlockOutput blocks(out, 4);
    EXPECT_TRUE(blocks.write("abc"));
    EXPECT_EQ(out.text, "");
    EXPECT_TRUE(blocks.write("d"));
    EXPECT_EQ(out.text, "");  // full, but nothing more has come
    EXPECT_TRUE(blocks.write("e"));
    EXPECT_EQ(out.text, "abcd");
    EXPECT_TRUE(blocks.write("fghijkl"));
    EXPECT_EQ(out.text, "abcdefgh");
    EXPECT_TRUE(blocks.holds());
    EXPECT_TRUE(blocks.flush());
    EXPECT_EQ(out.text, "abcdefghijkl");
    EXPECT_FALSE(blocks.holds());
}

TEST(BlockOutput, WritesAtOnceWithoutABuffer) {
    StringOutput out;
    BlockOutput blocks(out, 0);
    EXPECT_TRUE(blocks.write("ab"));
    EXPECT_EQ(out.text, "ab");
    EXPECT_FALSE(blocks.holds());
}

TEST(BlockOutput, HasThePipesBuffer) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    EXPECT_EQ(stdio_block(ends[1]), 4096U);
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
}  // namespace nlsh
