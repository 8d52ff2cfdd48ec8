#include "shim/server/workers.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

TEST(Workers, ThreadsOfAProcessor) {
    EXPECT_EQ(threads_of_processor(0, 2), 128U);
    EXPECT_EQ(threads_of_processor(0, 16), 16U);
    EXPECT_EQ(threads_of_processor(0, 64), 16U);  // each client of a burst may keep one
    EXPECT_EQ(threads_of_processor(0, 256), 16U);
    EXPECT_EQ(threads_of_processor(128, 64), 3U);  // at least the spare threads
    EXPECT_EQ(threads_of_processor(6, 2), 3U);
}

}  // namespace
}  // namespace nlsh
