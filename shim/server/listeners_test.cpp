#include "shim/server/listeners.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "shim/run/private_directory.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

class ListenersTest : public testing::Test {
  protected:
    std::string prefix() const { return directory_.path() + "/sock"; }

    bool connects() const {
        const auto address = unix_address(prefix() + ".0");
        const Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        return connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address),
                       sizeof *address) == 0;
    }

    PrivateDirectory directory_{"listeners"};
};

// The inotify events that gave PREFIX.0 its name.
std::vector<uint32_t> arrivals(int watch, const std::string& name) {
    std::vector<uint32_t> masks;
    alignas(inotify_event) char buffer[4096];
    const ssize_t length = read(watch, buffer, sizeof buffer);
    for (ssize_t at = 0; at < length;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        if (event->len > 0 && name == event->name) masks.push_back(event->mask);
        at += static_cast<ssize_t>(sizeof *event + event->len);
    }
    return masks;
}

// Scripts wait for the file and then call: it must not appear before the socket listens.
TEST_F(ListenersTest, AppearsWhenItListens) {
    const Descriptor watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    ASSERT_GE(inotify_add_watch(watch.get(), directory_.path().c_str(), IN_CREATE | IN_MOVED_TO),
              0);
    const auto listeners = Listeners::open(prefix(), {.mode = 0660, .group = "7"});
    ASSERT_TRUE(listeners) << listeners.error();
    EXPECT_EQ(arrivals(watch.get(), "sock.0"), std::vector<uint32_t>{IN_MOVED_TO});
    EXPECT_TRUE(connects());
    struct stat status;
    ASSERT_EQ(stat((prefix() + ".0").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0660U);
    EXPECT_EQ(status.st_gid, 7U);
    EXPECT_FALSE(std::filesystem::exists(prefix() + ".0~"));
}

TEST_F(ListenersTest, TakesTheDeadsPlaceAndTheirsOnly) {
    {
        const auto address = unix_address(prefix() + ".0");
        const Descriptor dead(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        ASSERT_EQ(bind(dead.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address),
                  0);
    }
    EXPECT_FALSE(connects());
    {
        const auto listeners = Listeners::open(prefix(), {});
        ASSERT_TRUE(listeners) << listeners.error();
        EXPECT_TRUE(connects());
        const auto second = Listeners::open(prefix(), {});
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error(), prefix() + ".lock: a server runs already");
        EXPECT_TRUE(connects());
    }
    EXPECT_FALSE(std::filesystem::exists(prefix() + ".0"));
    std::ofstream(prefix() + ".0") << "somebody's";
    const auto listeners = Listeners::open(prefix(), {});
    ASSERT_FALSE(listeners);
    EXPECT_EQ(listeners.error(), prefix() + ".0: Address already in use");
    EXPECT_TRUE(std::filesystem::is_regular_file(prefix() + ".0"));
    EXPECT_FALSE(std::filesystem::exists(prefix() + ".0~"));
}

}  // namespace
}  // namespace nlsh
