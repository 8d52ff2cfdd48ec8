#include "backend/net/read_ahead.h"

#include <gtest/gtest.h>
#include <linux/rtnetlink.h>

#include <vector>

#include "backend/net/attributes.h"
#include "backend/net/scripted_transport.h"

namespace nlsh {
namespace {

constexpr int datagrams = 100;

std::string object(int number) {
    ifinfomsg header{};
    header.ifi_index = number;
    const Message message(RTM_NEWLINK, NLM_F_MULTI, header);
    return {KernelScript::raw(message), message.size()};
}

std::string done() {
    const Message message(NLMSG_DONE, NLM_F_MULTI, 0);
    return {KernelScript::raw(message), message.size()};
}

// Runs a dump with a receiving thread, and keeps its results.
struct Dump {
    explicit Dump(KernelScript& kernel, int enough = datagrams) {
        Channel channel(std::make_unique<ScriptedTransport>(kernel));
        channel.read_ahead();
        Message request(RTM_GETLINK, 0, ifinfomsg{});
        verdict = channel.dump(request, [&](const nlmsghdr& message) {
            numbers.push_back(family_header<ifinfomsg>(message)->ifi_index);
            return static_cast<int>(numbers.size()) < enough;
        });
        broken = channel.broken();
    }
    bool in_order() const {
        for (size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] != static_cast<int>(i)) return false;
        return true;
    }
    Verdict verdict;
    std::vector<int> numbers;
    bool broken = false;
};

KernelScript links(int count) {
    KernelScript kernel;
    for (int i = 0; i < count; ++i)
        kernel.say(object(i));
    return kernel;
}

TEST(ReadAhead, GivesAllInOrder) {
    for (const int count : {1, 6, 7, 8, 9, 10, 11, 17, datagrams}) {
        KernelScript kernel = links(count);
        kernel.say(done());
        const Dump dump(kernel);
        EXPECT_TRUE(dump.verdict.ok()) << count;
        EXPECT_EQ(dump.numbers.size(), static_cast<size_t>(count));
        EXPECT_TRUE(dump.in_order());
        EXPECT_FALSE(dump.broken);
    }
}

TEST(ReadAhead, DrainsWhatIsntWanted) {
    KernelScript kernel = links(datagrams);
    kernel.say(done());
    const Dump dump(kernel, 20);
    EXPECT_TRUE(dump.verdict.ok());
    EXPECT_EQ(dump.numbers.size(), 20U);
    EXPECT_TRUE(kernel.said.empty());
}

TEST(ReadAhead, ReportsAFaultInItsPlace) {
    KernelScript kernel = links(50);
    kernel.fail(ENOBUFS);
    const Dump dump(kernel);
    EXPECT_EQ(dump.verdict.error, ENOBUFS);
    EXPECT_EQ(dump.numbers.size(), 50U);
    EXPECT_TRUE(dump.in_order());
    EXPECT_TRUE(dump.broken);
}

TEST(ReadAhead, EndsBeforeItsThreadHasReadAll) {
    KernelScript kernel = links(20);
    kernel.say(std::string(NLMSG_HDRLEN, '\1'));  // no length that could be
    for (int i = 0; i < datagrams; ++i)
        kernel.say(object(i));
    const Dump dump(kernel);
    EXPECT_EQ(dump.verdict.error, EPROTO);
    EXPECT_EQ(dump.numbers.size(), 20U);
    EXPECT_TRUE(dump.broken);
}

}  // namespace
}  // namespace nlsh
