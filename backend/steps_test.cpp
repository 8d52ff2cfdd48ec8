// Common steps of commands: a channel, devices, the end of a dump, the exit status.
#include <gtest/gtest.h>
#include <linux/if_addr.h>

#include <algorithm>
#include <cerrno>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/net/scripted_transport.h"
#include "backend/render/numbers.h"
#include "backend/run.h"

namespace nlsh {
namespace {

class Steps : public ::testing::Test {
  protected:
    std::expected<Channel, int> open(bool strict) {
        opened.push_back(strict);
        if (error != 0) return std::unexpected(error);
        return Channel(std::make_unique<ScriptedTransport>(kernel));
    }
    // Looks up a device as commands do. Returns its ifindex as the status.
    ExitStatus find(std::string_view name, bool required,
                    MissingDevice missing = cannot_find_device) {
        Channel& channel = TRY(open_channel(context, options));
        const auto find = required ? require_device : find_wanted_device;
        return static_cast<int>(TRY(find(context, options, channel, name, missing)));
    }

    int error = 0;
    std::vector<bool> opened;  // strict or not
    KernelScript kernel;
    StringOutput out;
    StringOutput err;
    NameTables names;
    Options options;
    Session session{Session::Threads::none, [this](bool strict) { return open(strict); }};
    Context context{.session = session, .names = names, .out = &out, .err = &err};
};

TEST_F(Steps, OnlyBatchesOfIpAreNotStrict) {
    for (const Tool tool : {Tool::ip, Tool::bridge}) {
        for (const bool batch : {false, true}) {
            options.tool = tool;
            options.batch = batch;
            EXPECT_TRUE(open_channel(context, options));
        }
    }
    EXPECT_EQ(opened, (std::vector<bool>{true, false}));  // a batch of bridge is strict
}

TEST_F(Steps, WithoutASocket) {
    error = EMFILE;
    EXPECT_EQ(find("d1", true), 1);
    EXPECT_EQ(err.text, "Cannot open netlink socket: Too many open files\n");
    EXPECT_EQ(context.refusal.error, EMFILE);
}

TEST_F(Steps, Devices) {
    EXPECT_EQ(find("d3", true), 3);
    EXPECT_EQ(find("d3", false), 3);
    EXPECT_EQ(find("if7", true), 7);  // by ifindex
    EXPECT_EQ(find("", false), 0);
    EXPECT_EQ(err.text, "");
}

TEST_F(Steps, MissingDevices) {
    EXPECT_EQ(find("x", true), 1);
    EXPECT_EQ(find("x", false), 1);
    EXPECT_EQ(find("x", false, device_does_not_exist), 1);
    EXPECT_EQ(find("x", true, invalid_device), 255);
    options.tool = Tool::bridge;
    EXPECT_EQ(find("x", true), 255);
    EXPECT_EQ(err.text,
              "Cannot find device \"x\"\nCannot find device \"x\"\nDevice \"x\" does not exist.\n"
              "Error: argument \"x\" is wrong: dev is invalid\n\nCannot find device \"x\"\n");
}

TEST_F(Steps, AFailedDumpShowsWhatItHas) {
    Printer printer(out, options);
    printer.text("one\n");
    EXPECT_EQ(end_dump(context, printer, Verdict{.error = ENOBUFS}, 7), 7);
    EXPECT_EQ(out.text, "one\n");
    EXPECT_EQ(err.text, "RTNETLINK answers: No buffer space available\nDump terminated\n");
    EXPECT_EQ(end_dump(context, printer, Verdict{}, 7), 0);
}

TEST(Repeated, AllButTheType) {
    ifaddrmsg header{};
    header.ifa_index = 5;
    Message told(RTM_NEWADDR, NLM_F_MULTI, header);
    told.put_number(IFA_LOCAL, 0x0100000a, 4);
    told.put_number(IFA_PROTO, 3, 1);
    const KeptMessage kept(*told.header());
    const Message copy = repeated<ifaddrmsg>(RTM_DELADDR, *kept);
    EXPECT_EQ(copy.header()->nlmsg_type, RTM_DELADDR);
    EXPECT_EQ(copy.header()->nlmsg_flags, NLM_F_REQUEST);
    EXPECT_EQ(copy.size(), told.size());
    const auto* bytes = reinterpret_cast<const char*>(told.header());
    EXPECT_TRUE(std::equal(bytes + NLMSG_HDRLEN, bytes + told.size(),
                           reinterpret_cast<const char*>(copy.header()) + NLMSG_HDRLEN));
}

TEST(PrintNumbers, ThoseThatAreThere) {
    ifaddrmsg header{};
    Message message(RTM_NEWADDR, 0, header);
    message.put_number(3, 7, 1);
    message.put_number(1, uint64_t{1} << 40, 8);
    static constexpr NumberField fields[] = {{1, "a", "A "}, {2, "b", "B "}, {3, "c", "C "}};
    StringOutput out;
    const Options options{};
    Printer printer(out, options);
    print_numbers(printer, Attributes<3>(attribute_bytes<ifaddrmsg>(*message.header())), fields);
    printer.flush();
    EXPECT_EQ(out.text, "A 1099511627776 C 7 ");
}

}  // namespace
}  // namespace nlsh
