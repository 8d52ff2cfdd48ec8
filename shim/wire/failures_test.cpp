#include "shim/wire/failures.h"

#include <gmock/gmock.h>

#include "shim/wire/wire.h"

namespace nlsh {
namespace {

Failure failure(int position, std::string command) {
    return {.position = position,
            .command = std::move(command),
            .status = 2,
            .message = "RTNETLINK answers: File exists",
            .refusal = {17, "an \"extack\""}};
}

TEST(Failures, ThereAndBack) {
    auto second = failure(3, "");
    second.refusal = {};
    second.message.clear();
    const auto read = decode_failures(encode_failures({failure(2, "ip link add"), second}));
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].position, 2);
    EXPECT_EQ(read[0].command, "ip link add");
    EXPECT_EQ(read[0].status, 2);
    EXPECT_EQ(read[0].message, "RTNETLINK answers: File exists");
    EXPECT_EQ(read[0].refusal.error, 17);
    EXPECT_EQ(read[0].refusal.extack, "an \"extack\"");
    EXPECT_EQ(read[1].position, 3);
    EXPECT_EQ(read[1].command, "");
    EXPECT_EQ(read[1].refusal.error, 0);
    EXPECT_TRUE(decode_failures(encode_failures({})).empty());
}

TEST(Failures, NeverMoreThanFits) {
    const std::vector<Failure> many(1000, failure(1, std::string(5000, 'x')));
    const std::string text = encode_failures(many);
    EXPECT_LE(text.size(), size_t{NLSH_FAILURES_MAX});
    EXPECT_GE(decode_failures(text).size(), 3U);
    EXPECT_EQ(decode_failures(text)[0].command, std::string(2048, 'x'));
}

TEST(Failures, OfAnythingElse) {
    EXPECT_TRUE(decode_failures("no such thing").empty());
    EXPECT_TRUE(decode_failures(std::string("1\0"
                                            "2\0"
                                            "3\0"
                                            "cut",
                                            9))
                    .empty());
    EXPECT_EQ(decode_failures(std::string("x\0y\0z\0a\0b\0c", 11))[0].position, 0);
}

}  // namespace
}  // namespace nlsh
