#include "backend/objects/link/render.h"

#include <gtest/gtest.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>

#include <cstring>
#include <map>

#include "backend/run.h"

namespace nlsh {
namespace {

struct FakeLink {
    uint32_t ifindex;
    std::string name;
    uint32_t flags = 0;
    uint32_t lower = 0;
    std::string kind = {};
};

Message link_message(const FakeLink& link) {
    ifinfomsg header{};
    header.ifi_type = ARPHRD_ETHER;
    header.ifi_index = static_cast<int>(link.ifindex);
    header.ifi_flags = link.flags;
    Message message(RTM_NEWLINK, NLM_F_MULTI, header);
    message.put_string(IFLA_IFNAME, link.name);
    message.put_u32(IFLA_MTU, 1500);
    if (link.lower != 0) message.put_u32(IFLA_LINK, link.lower);
    message.put_u8(IFLA_OPERSTATE, 2);
    if (!link.kind.empty()) {
        const size_t nest = message.begin_nest(IFLA_LINKINFO);
        message.put_string(IFLA_INFO_KIND, link.kind);
        message.end_nest(nest);
    }
    return message;
}

// Answers each request with a dump of the links, one datagram each.
class FakeKernel final : public Transport {
  public:
    explicit FakeKernel(std::vector<FakeLink> links) : links_(std::move(links)) {}

    int send(const void* data, size_t) override {
        nlmsghdr request;
        std::memcpy(&request, data, sizeof request);
        sequence_ = request.nlmsg_seq;
        next_ = 0;
        return 0;
    }
    int64_t receive(void* buffer, size_t) override {
        if (next_ > links_.size()) return -EAGAIN;
        Message message = next_ < links_.size() ? link_message(links_[next_])
                                                : Message(NLMSG_DONE, NLM_F_MULTI, 0);
        ++next_;
        message.header()->nlmsg_seq = sequence_;
        std::memcpy(buffer, message.header(), message.size());
        return static_cast<int64_t>(message.size());
    }
    uint32_t ifindex(std::string_view) override { return 0; }
    std::string ifname(uint32_t) override { return {}; }
    int control(unsigned long, void*) override { return ENOTTY; }

  private:
    std::vector<FakeLink> links_;
    size_t next_ = 0;
    uint32_t sequence_ = 0;
};

struct Result {
    std::string out;
    std::optional<Decline> fallback;
};

Result show(const std::vector<FakeLink>& links, const Options& options,
            const LinkShow& request = {}) {
    Session session;
    session.set_rtnl(Channel(std::make_unique<FakeKernel>(links)));
    const NameTables names = NameTables::built_in();
    StringOutput out;
    StringOutput err;
    Context context{.session = session, .names = names, .out = &out, .err = &err};
    const int status = run(context, options, request);
    EXPECT_EQ(status, context.fallback ? 1 : 0);
    return {out.text, context.fallback};
}

TEST(LinkRender, WaitsForTheFlagsOfALaterLowerLink) {
    const auto shown = show({{.ifindex = 2, .name = "v1", .flags = IFF_UP, .lower = 3},
                             {.ifindex = 3, .name = "v0", .lower = 2},
                             {.ifindex = 4, .name = "v2", .lower = 2}},
                            {.brief = true});
    EXPECT_EQ(shown.out,
              "v1@v0            DOWN           <NO-CARRIER,UP,M-DOWN> \n"
              "v0@v1            DOWN           <> \n"
              "v2@v1            DOWN           <> \n");
}

TEST(LinkRender, PrintsTextAndJson) {
    const FakeLink link{.ifindex = 7, .name = "d0", .flags = IFF_UP | IFF_RUNNING | IFF_NOARP};
    EXPECT_EQ(show({link}, {}).out, "7: d0: <NOARP,UP> mtu 1500 state DOWN \n    link/ether \n");
    EXPECT_EQ(show({link}, {.json = true}).out,
              R"([{"ifindex":7,"ifname":"d0","flags":["NOARP","UP"],"mtu":1500,)"
              R"("operstate":"DOWN","link_type":"ether"}])"
              "\n");
}

TEST(LinkRender, ARejectedLinkIsAnEmptyObject) {
    LinkShow request;
    request.selection.kind = "vlan";
    const FakeLink link{.ifindex = 7, .name = "d0", .kind = "dummy"};
    EXPECT_EQ(show({link}, {.json = true}, request).out, "[{}]\n");
    EXPECT_EQ(show({link}, {}, request).out, "");
}

TEST(LinkRender, FallsBackForUnknownKindsOnlyWhereTheyArePrinted) {
    const FakeLink link{.ifindex = 7, .name = "x0", .kind = "quux"};
    EXPECT_FALSE(show({link}, {}).fallback);
    EXPECT_TRUE(show({link}, {.details = 1}).fallback);
}

}  // namespace
}  // namespace nlsh
