// Checks a dead server's journal, and that no recorded step is done twice.
#include "shim/journal/journal.h"

#include <gtest/gtest.h>
#include <linux/rtnetlink.h>

#include <memory>
#include <vector>

#include "backend/net/scripted_transport.h"
#include "shim/journal/journaled.h"

namespace nlsh {
namespace {

constexpr int some_socket = 77;

Message change_of(uint32_t index) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(index);
    return {RTM_NEWLINK, 0, header};
}

std::string verdict(int error) {
    nlmsghdr header{};
    nlmsgerr answer{};
    header.nlmsg_len = NLMSG_LENGTH(sizeof answer);
    header.nlmsg_type = NLMSG_ERROR;
    answer.error = -error;
    return std::string(reinterpret_cast<const char*>(&header), sizeof header)
        .append(reinterpret_cast<const char*>(&answer), sizeof answer);
}

class JournalTest : public testing::Test {
  protected:
    JournalTest() { journal_.serve(5); }

    Channel journaled(KernelScript& script) {
        return Channel(
            journaled_over(std::make_unique<ScriptedTransport>(script), some_socket, current_));
    }
    Channel again(KernelScript& script) {
        return Channel(replaying(journal_, std::make_unique<ScriptedTransport>(script), offset_));
    }
    static int change(Channel& channel, uint32_t index) {
        Message message = change_of(index);
        return channel.change(message).error;
    }

    Journals journals_{2};
    Journal& journal_ = journals_.take();
    Journal* current_ = &journal_;
    size_t offset_ = 0;
};

TEST_F(JournalTest, WhatWasAnsweredIsNotAskedAgain) {
    KernelScript first, second;
    first.say(verdict(0));
    first.say(verdict(EEXIST));
    Channel before = journaled(first);
    EXPECT_EQ(before.ifindex("d3"), 3U);
    EXPECT_EQ(change(before, 3), 0);
    EXPECT_EQ(change(before, 4), EEXIST);
    EXPECT_EQ(journal_.netlink(), some_socket);
    EXPECT_TRUE(journal_.tracked());

    second.say(verdict(ENODEV));
    Channel after = again(second);
    EXPECT_EQ(after.ifindex("d3"), 3U);
    EXPECT_EQ(change(after, 3), 0);
    EXPECT_EQ(change(after, 4), EEXIST);
    EXPECT_FALSE(journal_.at(offset_));
    EXPECT_TRUE(second.sent.empty());
    EXPECT_EQ(change(after, 5), ENODEV);  // the first unrecorded change
    EXPECT_EQ(second.sent.size(), 1U);
}

TEST_F(JournalTest, AnotherWayIsNotGone) {
    KernelScript first, second;
    first.say(verdict(0));
    Channel before = journaled(first);
    EXPECT_EQ(change(before, 3), 0);
    Channel after = again(second);
    EXPECT_THROW(change(after, 4), Diverged);
    EXPECT_THROW(after.ifindex("d3"), Diverged);
    Message question(RTM_GETLINK, 0, ifinfomsg{});
    EXPECT_THROW(after.get(question, [](const nlmsghdr&) { return true; }), Diverged);
    EXPECT_TRUE(second.sent.empty());
}

TEST_F(JournalTest, WhatItCannotTell) {
    KernelScript script;
    Channel channel = journaled(script);
    script.send_errors = {ENOBUFS};
    EXPECT_EQ(change(channel, 3), ENOBUFS);
    EXPECT_FALSE(journal_.tracked());
    journal_.expect();
    EXPECT_TRUE(journal_.tracked());
    EXPECT_NE(change(channel, 3), 0);  // no answer comes
    EXPECT_FALSE(journal_.tracked());
}

TEST_F(JournalTest, ALongLineFillsIt) {
    KernelScript script;
    Channel channel = journaled(script);
    for (uint32_t index = 0; index < Journal::records_max / NLMSG_HDRLEN; ++index) {
        script.say(verdict(0));
        ASSERT_EQ(change(channel, index), 0);
    }
    EXPECT_FALSE(journal_.tracked());
}

nlsh_request request_of(uint32_t command, uint32_t environment) {
    nlsh_request request{};
    request.magic = NLSH_MAGIC;
    request.version = NLSH_VERSION;
    request.kind = NLSH_SYSTEM;
    request.command_size = command;
    request.environment_size = environment;
    return request;
}

TEST_F(JournalTest, OwesFromTheRequestToTheReply) {
    EXPECT_FALSE(journal_.owes());
    journal_.expect();
    EXPECT_FALSE(journal_.owes());
    const nlsh_request request = request_of(7, 5);
    std::memcpy(journal_.frame().data(), &request, sizeof request);
    EXPECT_TRUE(journal_.owes());
    EXPECT_EQ(journal_.request()->size(), sizeof request + 12);
    EXPECT_FALSE(journal_.reply());
    journal_.replying({.magic = NLSH_MAGIC,
                       .version = NLSH_VERSION,
                       .type = NLSH_DONE,
                       .flags = 0,
                       .status = 256,
                       .output_size = 0,
                       .text_size = 0});
    EXPECT_EQ(journal_.reply()->status, 256);
    journal_.replied();
    EXPECT_FALSE(journal_.owes());
    journal_.serve(-1);
    EXPECT_FALSE(journal_.owes());
}

TEST_F(JournalTest, ASizeIsNotBelieved) {
    const nlsh_request request = request_of(UINT32_MAX, UINT32_MAX);
    std::memcpy(journal_.frame().data(), &request, sizeof request);
    EXPECT_FALSE(journal_.request());
}

TEST(Journals, AreAsManyAsAskedFor) {
    Journals journals(1);
    Journal& journal = journals.take();
    EXPECT_THROW(journals.take(), std::bad_alloc);
    journal.frame()[0] = 'n';
    journals.give_back(journal);
    EXPECT_EQ(&journals.take(), &journal);
    EXPECT_EQ(journal.frame()[0], 0);
    EXPECT_EQ(journals.all().size(), 1U);
}

}  // namespace
}  // namespace nlsh
