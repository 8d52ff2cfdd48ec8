#include <gmock/gmock.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <map>

#include "backend/net/attributes.h"
#include "backend/objects/link/words/link.h"
#include "backend/run.h"

namespace nlsh {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A kernel with a few devices that acknowledges every request.
struct FakeKernel {
    std::map<std::string, uint32_t, std::less<>> devices{{"x", 5}, {"br", 6}};
    std::vector<std::string> lookups;
    std::vector<std::string> sent;  // whole messages
};

class FakeTransport final : public Transport {
  public:
    explicit FakeTransport(FakeKernel& kernel) : kernel_(kernel) {}

    int send(const void* data, size_t size) override {
        kernel_.sent.emplace_back(static_cast<const char*>(data), size);
        return 0;
    }
    int64_t receive(void* buffer, size_t size) override {
        struct {
            nlmsghdr header;
            nlmsgerr error;
        } reply{};
        std::memcpy(&reply.error.msg, kernel_.sent.back().data(), sizeof reply.error.msg);
        reply.header.nlmsg_len = sizeof reply;
        reply.header.nlmsg_type = NLMSG_ERROR;
        reply.header.nlmsg_flags = NLM_F_CAPPED;
        reply.header.nlmsg_seq = reply.error.msg.nlmsg_seq;
        std::memcpy(buffer, &reply, std::min(size, sizeof reply));
        return sizeof reply;
    }
    uint32_t ifindex(std::string_view name) override {
        kernel_.lookups.emplace_back(name);
        const auto found = kernel_.devices.find(name);
        return found == kernel_.devices.end() ? 0 : found->second;
    }
    std::string ifname(uint32_t) override { return {}; }
    int control(unsigned long, void*) override { return ENOTTY; }

  private:
    FakeKernel& kernel_;
};

class LinkChangeTest : public ::testing::Test {
  protected:
    int run_request(const LinkChange& request) {
        Session session;
        session.set_rtnl(Channel(std::make_unique<FakeTransport>(kernel)));
        Context context{.session = session,
                        .names = names,
                        .out = &out,
                        .err = &err,
                        .committed = false,
                        .fallback = {}};
        const int status = run(context, Options{}, request);
        EXPECT_EQ(context.committed, !kernel.sent.empty());
        return status;
    }

    FakeKernel kernel;
    NameTables names;
    StringOutput out;
    StringOutput err;
};

LinkAttribute master(const char* name) {
    return {IFLA_MASTER, LinkDevice{name, LinkDevice::Role::master}};
}

TEST_F(LinkChangeTest, OneMessageAndOneLookupForEachName) {
    LinkChange request;
    request.device = "x";
    request.attributes = {master("br")};
    EXPECT_EQ(run_request(request), 0);
    EXPECT_THAT(kernel.lookups, ElementsAre("br", "x"));
    ASSERT_EQ(kernel.sent.size(), 1U);
    const auto& message = *reinterpret_cast<const nlmsghdr*>(kernel.sent[0].data());
    EXPECT_EQ(message.nlmsg_type, RTM_NEWLINK);
    EXPECT_EQ(family_header<ifinfomsg>(message)->ifi_index, 5);
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    EXPECT_EQ(link[IFLA_MASTER].u32(), 6U);
}

TEST_F(LinkChangeTest, AMissingMasterIsFoundBeforeAMissingDevice) {
    LinkChange request;
    request.device = "nodev";
    request.attributes = {master("nomaster")};
    EXPECT_EQ(run_request(request), 255);
    EXPECT_EQ(err.text, "Error: argument \"nomaster\" is wrong: Device does not exist\n\n");
    EXPECT_THAT(kernel.sent, IsEmpty());
}

TEST_F(LinkChangeTest, AMissingDeviceIsFoundBeforeThoseOfItsType) {
    LinkChange request;
    request.device = "nodev";
    request.info = {{IFLA_LINK, LinkDevice{"nolink"}}};
    EXPECT_EQ(run_request(request), 1);
    EXPECT_EQ(err.text, "Cannot find device \"nodev\"\n");
    EXPECT_THAT(kernel.lookups, ElementsAre("nodev"));
    EXPECT_THAT(kernel.sent, IsEmpty());
}

TEST_F(LinkChangeTest, IfNumberIsAnIndex) {
    LinkChange request;
    request.device = "if99";
    EXPECT_EQ(run_request(request), 0);
    const auto& message = *reinterpret_cast<const nlmsghdr*>(kernel.sent.at(0).data());
    EXPECT_EQ(family_header<ifinfomsg>(message)->ifi_index, 99);
}

TEST_F(LinkChangeTest, NestsHaveTheirHeader) {
    LinkChange request;
    request.create = true;
    request.info = {{IFLA_LINKINFO, LinkNest{"abcd", {{1, std::string("ef")}}}}};
    EXPECT_EQ(run_request(request), 0);
    const auto& message = *reinterpret_cast<const nlmsghdr*>(kernel.sent.at(0).data());
    EXPECT_TRUE((message.nlmsg_flags & NLM_F_CREATE) != 0);
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const Bytes nest = link[IFLA_LINKINFO].bytes();
    const std::string expected("abcd\x06\0\x01\0ef\0\0", 12);
    EXPECT_EQ(std::string(nest.begin(), nest.end()), expected);
}

}  // namespace
}  // namespace nlsh
