#include "shim/wire/unix_socket.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace nlsh {
namespace {

// As if all numbers from the lowest free one on were in use.
class NoDescriptorLeft {
  public:
    NoDescriptorLeft() {
        const Descriptor lowest(dup(STDIN_FILENO));
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none{.rlim_cur = static_cast<rlim_t>(lowest.get()),
                          .rlim_max = before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptorLeft() { setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptorLeft(const NoDescriptorLeft&) = delete;
    NoDescriptorLeft& operator=(const NoDescriptorLeft&) = delete;

  private:
    rlimit before_{};
};

TEST(UnixSocket, DescriptorsThatFindNoRoomAreLostAndTheMessageIsNot) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    const Descriptor here(ends[0]), there(ends[1]);
    std::array<char, 8> bytes{};
    Received came;
    bool lost = true;
    ASSERT_TRUE(send_with_descriptors(here.get(), "one", {STDIN_FILENO, STDIN_FILENO}));
    EXPECT_EQ(receive_with_descriptors(there.get(), bytes, came, 0, nullptr, &lost), 3);
    EXPECT_TRUE(came[0] && came[1]);
    EXPECT_FALSE(lost);
    came = {};
    ASSERT_TRUE(send_with_descriptors(here.get(), "two", {STDIN_FILENO, STDIN_FILENO}));
    {
        const NoDescriptorLeft none;
        EXPECT_EQ(receive_with_descriptors(there.get(), bytes, came, 0, nullptr, &lost), 3);
    }
    EXPECT_FALSE(came[0] || came[1]);
    EXPECT_TRUE(lost);
    ASSERT_EQ(send(here.get(), "three", 5, 0), 5);
    EXPECT_EQ(receive_with_descriptors(there.get(), bytes, came, 0, nullptr, &lost), 5);
    EXPECT_FALSE(lost);
}

}  // namespace
}  // namespace nlsh
