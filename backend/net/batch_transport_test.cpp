#include "backend/net/batch_transport.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace nlsh {
namespace {

// Refuses every third message that it gets, and counts system calls.
class Kernel final : public Transport {
  public:
    explicit Kernel(int& sends) : sends_(sends) {}
    int send(const void* data, size_t size) override {
        ++sends_;
        text_.assign(static_cast<const char*>(data), size);
        at_ = 0;
        return 0;
    }
    int64_t receive(void* buffer, size_t) override {
        nlmsghdr header;
        std::memcpy(&header, text_.data() + at_, sizeof header);
        at_ += NLMSG_ALIGN(header.nlmsg_len);
        struct {
            nlmsghdr header;
            nlmsgerr error;
        } answer{};
        answer.header = {.nlmsg_len = sizeof answer,
                         .nlmsg_type = NLMSG_ERROR,
                         .nlmsg_flags = NLM_F_CAPPED,
                         .nlmsg_seq = header.nlmsg_seq,
                         .nlmsg_pid = 0};
        answer.error.error = ++messages_ % 3 == 0 ? -EEXIST : 0;
        std::memcpy(buffer, &answer, sizeof answer);
        return sizeof answer;
    }
    uint32_t ifindex(std::string_view name) override { return name == "v0" ? 7 : 0; }
    std::string ifname(uint32_t) override { return "v0"; }
    int control(unsigned long, void*) override { return 0; }

  private:
    int& sends_;
    std::string text_;
    size_t at_ = 0;
    int messages_ = 0;
};

class BatchTransportTest : public testing::Test {
  protected:
    int change() {
        Message message(RTM_NEWROUTE, 0, rtmsg{});
        return channel_.change(message).error;
    }
    int sends_ = 0;
    BatchTransport* transport_ = new BatchTransport(std::make_unique<Kernel>(sends_));
    Channel channel_{std::unique_ptr<Transport>(transport_)};
};

TEST_F(BatchTransportTest, SendsTogetherAndGivesEachItsVerdict) {
    transport_->start_queueing();
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ(change(), 0);
    EXPECT_EQ(sends_, 0);
    transport_->stop_queueing();
    transport_->post();
    EXPECT_EQ(transport_->posted(), 1U);
    transport_->collect();
    EXPECT_EQ(transport_->posted(), 0U);
    EXPECT_EQ(sends_, 1);
    for (size_t place = 0; place < 6; ++place) {
        const bool refused = place == 2 || place == 5;
        EXPECT_EQ(transport_->notable(place), refused);
        transport_->replay(place);
        EXPECT_EQ(change(), refused ? EEXIST : 0);
    }
    EXPECT_EQ(sends_, 1);
}

TEST_F(BatchTransportTest, RefusesWhatCannotWait) {
    EXPECT_EQ(channel_.ifindex("v0"), 7U);
    transport_->start_queueing();
    EXPECT_EQ(channel_.ifindex("v1"), 0U);  // nothing waits: asked
    EXPECT_FALSE(transport_->behind());
    change();
    EXPECT_EQ(channel_.ifindex("v0"), 7U);  // remembered
    EXPECT_FALSE(transport_->behind());
    EXPECT_EQ(channel_.ifindex("v1"), 0U);  // what waits may make it
    EXPECT_TRUE(transport_->behind());
}

TEST_F(BatchTransportTest, IsFullSomeTime) {
    transport_->start_queueing();
    size_t count = 0;
    while (!transport_->behind() && ++count < 1000)
        change();
    EXPECT_TRUE(transport_->full());
    EXPECT_EQ(transport_->queued(), count - 1);
    EXPECT_LE(count, 100U);
}

TEST_F(BatchTransportTest, GivesVerdictsInTheOrderOfPosting) {
    constexpr size_t windows = 20;
    for (size_t window = 0; window < windows; ++window) {
        transport_->start_queueing();
        change();
        change();
        transport_->stop_queueing();
        transport_->post();
    }
    EXPECT_EQ(transport_->posted(), windows);
    for (size_t window = 0; window < windows; ++window) {
        transport_->collect();
        for (size_t place = 0; place < 2; ++place)
            EXPECT_EQ(transport_->notable(place), (2 * window + place + 1) % 3 == 0);
    }
    EXPECT_EQ(transport_->posted(), 0U);
    EXPECT_EQ(sends_, static_cast<int>(windows));
}

TEST_F(BatchTransportTest, RefusesNewNamesUntilVerdictsAreThere) {
    transport_->start_queueing();
    change();
    transport_->post();
    EXPECT_EQ(channel_.ifindex("v0"), 0U);  // it may have been made there
    EXPECT_TRUE(transport_->behind());
    EXPECT_FALSE(transport_->full());
    transport_->collect();
    transport_->start_queueing();
    EXPECT_EQ(channel_.ifindex("v0"), 7U);
}

TEST_F(BatchTransportTest, AnotherSocketOnceVerdictsAreThere) {
    int others = 0;
    transport_->start_queueing();
    change();
    transport_->post();
    transport_->replace(std::make_unique<Kernel>(others));  // too early
    transport_->collect();
    transport_->stop_queueing();
    change();
    EXPECT_EQ(sends_, 2);
    transport_->replace(std::make_unique<Kernel>(others));
    change();
    transport_->start_queueing();
    change();
    transport_->post();
    transport_->collect();
    EXPECT_EQ(sends_, 2);
    EXPECT_EQ(others, 2);
}

TEST_F(BatchTransportTest, EndsWithWindowsOnTheirWay) {
    for (int window = 0; window < 5; ++window) {
        transport_->start_queueing();
        change();
        transport_->post();
    }
}

}  // namespace
}  // namespace nlsh
