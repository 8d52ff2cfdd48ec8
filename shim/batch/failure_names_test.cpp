#include "shim/batch/failure_names.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

std::string renamed(std::string_view text, size_t piece) {
    StringOutput out;
    FailureNames names("a/b", out);
    for (size_t at = 0; at < text.size(); at += piece)
        names.write(text.substr(at, piece));
    names.end();
    return out.text;
}

TEST(FailureNames, OnlyThatMessage) {
    constexpr std::string_view text =
        "Command failed x\nno Command failed -:1\nCommand failed -:12\n\nCommand failed";
    for (const size_t piece : {1U, 3U, 100U}) {
        EXPECT_EQ(
            renamed(text, piece),
            "Command failed x\nno Command failed -:1\nCommand failed a/b:12\n\nCommand failed");
    }
}

}  // namespace
}  // namespace nlsh
