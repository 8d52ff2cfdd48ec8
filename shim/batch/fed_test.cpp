#include "shim/batch/fed.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

using Feed = FedBatch::Feed;

struct Case {
    const char* line;
    Feed feed;
    const char* from;
    const char* shell = "";
};

TEST(FedBatch, WhatItReads) {
    for (const Case& each : {
             Case{"ip -batch f", Feed::own, ""},
             Case{" ip  -force -b  - ", Feed::own, ""},
             Case{"/sbin/ip -b - <a/b", Feed::file, "a/b"},
             Case{"cat f | bridge -b -", Feed::file, "f"},
             Case{"echo 'a|b' | ip -b -", Feed::program, "echo 'a|b' |cat"},
             Case{"ip -b - <<E\nx\ny\nE\n", Feed::text, "x\ny\n"},
             Case{"ip -b - << 'E'\n$x\\\nE", Feed::text, "$x\\\n"},
             Case{"cat <<E|ip -b -\nx\nE", Feed::text, "x\n"},
             Case{"bash -c 'ip -b - <<<x'", Feed::text, "x\n", "bash"},
             Case{"/bin/bash -c \"ip -b - <<< 'x y'\"", Feed::text, "x y\n", "/bin/bash"},
             Case{"bash -c 'ip -b - <<< $'\\''a\\nb'\\'''", Feed::text, "a\nb\n", "bash"},
             Case{"sh -c 'ip -b -'", Feed::own, "", "sh"},
         }) {
        const auto batch = fed_batch(each.line);
        ASSERT_TRUE(batch) << each.line;
        EXPECT_EQ(batch->feed, each.feed) << each.line;
        EXPECT_EQ(batch->from, each.from) << each.line;
        EXPECT_EQ(batch->shell, each.shell) << each.line;
    }
}

TEST(FedBatch, SomethingElse) {
    for (const char* line : {
             "",
             "ip",
             "ip link",
             "ip -batch",
             "tc -b -",
             "ip -n x -b -",
             "x=1 ip -b -",
             "ip -b $x",
             "ip -b - &",
             "ip -b - 2<f",
             "ip -b - <-",
             "ip -b - <&3",
             "ip -b f <g",
             "ip -b - | cat",
             "echo x | ip -b -; y",
             "echo x | ip -b f",
             "echo x |& ip -b -",
             "ip -b - <<E\nx",
             "ip -b - <<E\n$x\nE",
             "ip -b - <<E\nx\nE y",
             "ip -b - <<E\nx\nE\nip link",
             "ip -b - <<-E\nx\nE",
             "ip -b - <<E; x\nE",
             "ip -b - 3<<E\nx\nE",
             "ip -b - <<<x",
             "sh -c 'ip -b - <<<x'",
             "bash -c 'ip -b - <<<x y'",
             "bash -c 'ip -b - <<<$x'",
             "bash -c 'ip -b - <<<\"$x\"'",
             "bash -c 'ip -b -' x",
             "bash -c 'ip -b -",
             "bash -c \"ip -b - <<<'\\n'\"",
             "bash -ec 'ip -b -'",
         })
        EXPECT_FALSE(fed_batch(line)) << line;
}

}  // namespace
}  // namespace nlsh
