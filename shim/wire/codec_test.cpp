#include "shim/wire/codec.h"

#include <gmock/gmock.h>

#include <cstring>

namespace nlsh {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string frame(const nlsh_request& header, std::string_view body) {
    return std::string(reinterpret_cast<const char*>(&header), sizeof header).append(body);
}

nlsh_request header(size_t command, size_t environment) {
    nlsh_request request{};
    request.magic = NLSH_MAGIC;
    request.version = NLSH_VERSION;
    request.kind = NLSH_POPEN;
    request.command_size = static_cast<uint32_t>(command);
    request.environment_size = static_cast<uint32_t>(environment);
    return request;
}

TEST(DecodeRequest, Whole) {
    const std::string bytes = frame(header(7, 12), std::string("ip linkPATH=/sbin\0", 17) + "B");
    EXPECT_FALSE(decode_request(bytes));  // the last variable has no end
    const std::string good = frame(header(7, 11), std::string_view("ip linkPATH=/sbin\0", 18));
    const auto request = decode_request(good);
    ASSERT_TRUE(request) << request.error();
    EXPECT_EQ(request->command, "ip link");
    EXPECT_THAT(request->environment, ElementsAre("PATH=/sbin"));
    EXPECT_FALSE(request->says(NLSH_WANT_TEXT));
}

TEST(DecodeRequest, NoEnvironment) {
    const std::string bytes = frame(header(7, 0), "ip link");
    const auto request = decode_request(bytes);
    ASSERT_TRUE(request);
    EXPECT_THAT(request->environment, IsEmpty());
}

TEST(DecodeRequest, HostileLengths) {
    EXPECT_FALSE(decode_request({}));
    EXPECT_FALSE(decode_request(std::string(sizeof(nlsh_request) - 1, '\0')));
    EXPECT_FALSE(decode_request(frame(header(8, 0), "ip link")));
    EXPECT_FALSE(decode_request(frame(header(6, 0), "ip link")));
    EXPECT_FALSE(decode_request(frame(header(SIZE_MAX, 8), "ip link")));
    EXPECT_FALSE(decode_request(frame(header(7, UINT32_MAX), "ip link")));
    EXPECT_FALSE(decode_request(std::string(NLSH_REQUEST_MAX + 1, 'x')));
}

TEST(DecodeRequest, HostileContents) {
    nlsh_request request = header(7, 0);
    request.magic ^= 1;
    EXPECT_FALSE(decode_request(frame(request, "ip link")));
    request = header(7, 0);
    request.version = NLSH_VERSION + 1;
    EXPECT_FALSE(decode_request(frame(request, "ip link")));
    request = header(7, 0);
    request.kind = NLSH_EXEC + 1;
    EXPECT_FALSE(decode_request(frame(request, "ip link")));
    EXPECT_FALSE(decode_request(frame(header(7, 0), std::string_view("ip\0link", 7))));
    EXPECT_FALSE(decode_request(frame(header(0, 3), std::string_view("=x\0", 3))));
    EXPECT_FALSE(decode_request(frame(header(0, 2), std::string_view("A\0", 2))));
}

TEST(DecodeRequest, WordsOfAnExec) {
    const std::string_view words("/sbin/ip\0ip\0link\0\0", 18);
    nlsh_request request = header(words.size(), 0);
    request.kind = NLSH_EXEC;
    request.root = 0x201;
    const std::string good = frame(request, words);
    const auto decoded = decode_request(good);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->root, 0x201u);
    EXPECT_THAT(exec_words(decoded->command), ElementsAre("/sbin/ip", "ip", "link", ""));
    request.command_size -= 1;
    EXPECT_FALSE(decode_request(frame(request, std::string(words.substr(0, 16)) + "x")));
    request.command_size = 0;
    EXPECT_FALSE(decode_request(frame(request, "")));
}

TEST(DecodeRequest, ANetlinkSocketAndTheRootOfWhoPassesIt) {
    nlsh_request request = header(7, 0);
    request.root = 7;
    const std::string without = frame(request, "ip link");
    EXPECT_FALSE(decode_request(without)->says(NLSH_NETLINK));
    request.flags = NLSH_NETLINK;
    const std::string with = frame(request, "ip link");
    const auto decoded = decode_request(with);
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->says(NLSH_NETLINK));
    EXPECT_EQ(decoded->root, 7u);
}

TEST(DecodeRequest, AnOlderClientIsRefused) {
    nlsh_request request = header(7, 0);
    request.version = 1;  // its header is shorter
    EXPECT_FALSE(decode_request(frame(request, "ip link").substr(0, 16 + 7)));
    EXPECT_FALSE(decode_request(frame(request, "ip link")));
}

TEST(DecodeRequest, EveryCutIsRefused) {
    const std::string good = frame(header(7, 11), std::string_view("ip linkPATH=/sbin\0", 18));
    for (size_t size = 0; size < good.size(); ++size) {
        EXPECT_FALSE(decode_request(std::span(good.data(), size))) << size;
    }
}

TEST(EncodeReply, CutsWhatDoesNotFit) {
    const std::string output(NLSH_OUTPUT_MAX + 5, 'o');
    const std::string text(NLSH_TEXT_MAX + 5, 't');
    const std::string bytes =
        encode_reply({.type = NLSH_DONE, .status = 512, .output = output, .text = text});
    nlsh_reply reply;
    ASSERT_EQ(bytes.size(), sizeof reply + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX);
    std::memcpy(&reply, bytes.data(), sizeof reply);
    EXPECT_EQ(reply.magic, NLSH_MAGIC);
    EXPECT_EQ(reply.type, NLSH_DONE);
    EXPECT_EQ(reply.status, 512);
    EXPECT_EQ(reply.output_size, NLSH_OUTPUT_MAX);
    EXPECT_EQ(reply.text_size, NLSH_TEXT_MAX);
}

TEST(EncodeRequest, IsReadAgain) {
    const std::string bytes = encode_request({.kind = NLSH_SYSTEM, .flags = NLSH_WANT_FAILURES},
                                             "ip link", std::string_view("PATH=/sbin\0", 11));
    const auto request = decode_request(bytes);
    ASSERT_TRUE(request) << request.error();
    EXPECT_EQ(request->kind, NLSH_SYSTEM);
    EXPECT_TRUE(request->says(NLSH_WANT_FAILURES));
    EXPECT_FALSE(request->says(NLSH_WANT_TEXT));
    EXPECT_EQ(request->command, "ip link");
    EXPECT_THAT(request->environment, ElementsAre("PATH=/sbin"));
}

TEST(DecodeReply, WhatWasEncoded) {
    const std::string text(2000, 't');
    const std::string bytes = encode_reply({.type = NLSH_DONE,
                                            .status = 512,
                                            .output = "out",
                                            .text = text,
                                            .text_max = NLSH_FAILURES_MAX});
    const auto reply = decode_reply(bytes);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->type, NLSH_DONE);
    EXPECT_EQ(reply->status, 512);
    EXPECT_EQ(reply->output, "out");
    EXPECT_EQ(reply->text, text);
    EXPECT_FALSE(decode_reply(std::string_view(bytes).substr(0, bytes.size() - 1)));
    EXPECT_FALSE(decode_reply(std::string_view(bytes).substr(0, sizeof(nlsh_reply) - 1)));
    EXPECT_FALSE(decode_reply(std::string("x") + bytes.substr(1)));
}

TEST(DecodeReply, SaysWhetherTheCallerWasDeclined) {
    const auto declined = [](bool caller) {
        return decode_reply(encode_reply({.type = NLSH_DECLINED,
                                          .text = "why",
                                          .flags = flag_if(caller, NLSH_NOT_THIS_CALLER)}));
    };
    EXPECT_NE(declined(true)->flags & NLSH_NOT_THIS_CALLER, 0U);
    EXPECT_EQ(declined(false)->flags & NLSH_NOT_THIS_CALLER, 0U);
}

}  // namespace
}  // namespace nlsh
