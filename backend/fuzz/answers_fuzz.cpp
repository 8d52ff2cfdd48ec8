// A kernel that answers with any bytes: decoders and renderers survive lying and cut attributes.
//
// Input: a byte chooses the command; then records of a type, a length (2 bytes) and as many bytes
// of payload, each of which becomes a netlink message of a datagram of its own.
#include <linux/neighbour.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "backend/run.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

constexpr std::array types{NLMSG_DONE,     NLMSG_ERROR,  RTM_NEWLINK, RTM_NEWADDR,
                           RTM_NEWROUTE,   RTM_NEWNEIGH, RTM_NEWRULE, RTM_NEWVLAN,
                           RTM_NEWNEXTHOP, RTM_NEWSTATS, NLMSG_NOOP};
constexpr size_t max_exchanges = 16;

class HostileKernel final : public Transport {
  public:
    HostileKernel(const uint8_t* data, size_t size) : data_(data), size_(size) {}

    int send(const void* data, size_t) override {
        nlmsghdr request;
        std::memcpy(&request, data, sizeof request);
        sequence_ = request.nlmsg_seq;
        return ++exchanges_ > max_exchanges ? ENOBUFS : 0;
    }
    int64_t receive(void* buffer, size_t capacity) override {
        if (size_ < 3) return finish(buffer);
        const uint8_t type = data_[0];
        size_t length = data_[1] + size_t{data_[2]} * 256;
        take(3);
        length = std::min({length, size_, capacity - NLMSG_HDRLEN});
        nlmsghdr header{};
        header.nlmsg_len = static_cast<uint32_t>(NLMSG_HDRLEN + length);
        if ((type & 0x80) != 0) header.nlmsg_len += type;  // more than there is
        header.nlmsg_type = static_cast<uint16_t>(types[(type & 0x3f) % types.size()]);
        header.nlmsg_flags = (type & 0x40) != 0 ? NLM_F_MULTI | NLM_F_DUMP_INTR : NLM_F_MULTI;
        header.nlmsg_seq = sequence_;
        std::memcpy(buffer, &header, sizeof header);
        std::memcpy(static_cast<char*>(buffer) + NLMSG_HDRLEN, data_, length);
        take(length);
        return static_cast<int64_t>(NLMSG_HDRLEN + length);
    }
    uint32_t ifindex(std::string_view name) override { return name == "none" ? 0 : 2; }
    std::string ifname(uint32_t index) override {
        return index % 5 == 0 ? std::string() : "dev" + std::to_string(index);
    }

  private:
    void take(size_t count) {
        data_ += count;
        size_ -= count;
    }
    int64_t finish(void* buffer) {
        if (ended_ == exchanges_) return -ENETDOWN;
        ended_ = exchanges_;
        struct {
            nlmsghdr header;
            int error;
        } done{{sizeof done, NLMSG_DONE, NLM_F_MULTI, sequence_, 0}, 0};
        std::memcpy(buffer, &done, sizeof done);
        return sizeof done;
    }

    const uint8_t* data_;
    size_t size_;
    uint32_t sequence_ = 0;
    size_t exchanges_ = 0;
    size_t ended_ = 0;
};

struct Question {
    Tool tool;
    std::vector<std::string> words;
};

const std::vector<Question>& questions() {
    static const std::vector<Question> all{
        {Tool::ip, {"link"}},
        {Tool::ip, {"-d", "-s", "-s", "link"}},
        {Tool::ip, {"-j", "-d", "-s", "link"}},
        {Tool::ip, {"-br", "link"}},
        {Tool::ip, {"link", "show", "dev", "v0"}},
        {Tool::ip, {"-d", "addr"}},
        {Tool::ip, {"-j", "addr"}},
        {Tool::ip, {"-br", "addr"}},
        {Tool::ip, {"-o", "-s", "addr", "show", "dev", "v0"}},
        {Tool::ip, {"-d", "route", "show", "table", "all"}},
        {Tool::ip, {"-j", "-d", "-s", "route", "show", "table", "all"}},
        {Tool::ip, {"-6", "-s", "route"}},
        {Tool::ip, {"route", "get", "10.0.0.1"}},
        {Tool::ip, {"-j", "-6", "route", "get", "2001:db8::1"}},
        {Tool::ip, {"-d", "rule"}},
        {Tool::ip, {"-j", "-6", "rule"}},
        {Tool::ip, {"-s", "neigh"}},
        {Tool::ip, {"-j", "-s", "neigh", "show", "nud", "all"}},
        {Tool::ip, {"neigh", "get", "10.0.0.1", "dev", "v0"}},
        {Tool::ip, {"addr", "flush", "dev", "v0"}},
        {Tool::ip, {"neigh", "flush", "dev", "v0"}},
        {Tool::ip, {"link", "set", "v0", "address", "02:00:00:00:00:01", "up"}},
        {Tool::bridge, {"-d", "link"}},
        {Tool::bridge, {"-j", "-d", "-s", "link"}},
        {Tool::bridge, {"-d", "-s", "fdb"}},
        {Tool::bridge, {"-j", "fdb"}},
        {Tool::bridge, {"fdb", "get", "02:00:00:00:00:01", "dev", "v0"}},
        {Tool::bridge, {"vlan"}},
        {Tool::bridge, {"-j", "-d", "vlan"}},
        {Tool::bridge, {"-s", "vlan"}},
    };
    return all;
}

}  // namespace
}  // namespace nlsh

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    if (size == 0) return 0;
    static const NameTables names = NameTables::built_in();
    const Question& question = questions()[data[0] % questions().size()];
    const auto command = parse_command(question.tool, question.words, names);
    if (!command) return 0;
    Session session;
    session.set_rtnl(Channel(std::make_unique<HostileKernel>(data + 1, size - 1)));
    StringOutput out;
    StringOutput err;
    Context context{.session = session, .names = names, .out = &out, .err = &err};
    (void)run(context, *command);
    return 0;
}
