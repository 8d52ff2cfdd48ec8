#include "shim/lines/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

// A terminal of our own, and what is written to it.
class Terminal {
  public:
    Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
        if (grantpt(master_.get()) == 0 && unlockpt(master_.get()) == 0)
            slave_ = Descriptor(open(ptsname(master_.get()), O_RDWR | O_NOCTTY));
    }
    int get() const { return slave_.get(); }
    std::string text() const {
        std::string all;
        std::array<char, 256> part;
        for (pollfd wait{master_.get(), POLLIN, 0}; poll(&wait, 1, 0) == 1;) {
            const ssize_t got = read(master_.get(), part.data(), part.size());
            if (got <= 0) break;
            all.append(part.data(), static_cast<size_t>(got));
        }
        return all;
    }

  private:
    Descriptor master_;
    Descriptor slave_;
};

constexpr std::chrono::milliseconds none{0};
constexpr std::chrono::hours long_time{1};

TEST(Progress, SaysHowFarALongFileIs) {
    const Terminal terminal;
    {
        Progress progress(terminal.get(), "xterm-256color", none);
        progress.at({50, 100, 5});
        std::string text = terminal.text();
        EXPECT_TRUE(text.starts_with("\033]9;4;1;50\033\\\r\033[K[############------------]  50 %"))
            << text;
        progress.hide();
        progress.hide();
        EXPECT_EQ(terminal.text(), "\r\033[K");
        progress.at({50, 100, 5});
        text = terminal.text();
        EXPECT_TRUE(text.starts_with("\r\033[K[")) << text;
        progress.at({0, 0, 0});
        EXPECT_EQ(terminal.text(), "");
        progress.at({101, 100, 9});
        EXPECT_TRUE(terminal.text().starts_with("\033]9;4;1;100\033\\"));
    }
    EXPECT_EQ(terminal.text(), "\r\033[K\033]9;4;0\033\\");
}

TEST(Progress, ShareRateAndTimeLeft) {
    EXPECT_EQ(Progress::bar({25, 100, 3000}, std::chrono::seconds(30)),
              "[######------------------]  25 %  100 lines/s  1:30 left");
    EXPECT_EQ(Progress::bar({100, 100, 10}, std::chrono::seconds(5)),
              "[########################] 100 %  2 lines/s  0:00 left");
}

TEST(Progress, AConsoleHasNoTitle) {
    const Terminal terminal;
    {
        Progress progress(terminal.get(), "linux", none);
        progress.at({50, 100, 5});
    }
    EXPECT_EQ(terminal.text().find("\033]9"), std::string::npos);
}

TEST(Progress, IsSilentElsewhere) {
    const Terminal terminal;
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const Descriptor reader(ends[0]);
    const Descriptor writer(ends[1]);
    fcntl(reader.get(), F_SETFL, O_NONBLOCK);
    {
        Progress dumb(terminal.get(), "dumb", none);
        Progress unknown(terminal.get(), nullptr, none);
        Progress pipe(writer.get(), "xterm", none);
        Progress early(terminal.get(), "xterm", long_time);
        for (Progress* progress : {&dumb, &unknown, &pipe, &early})
            progress->at({1, 2, 1});
    }
    EXPECT_EQ(terminal.text(), "");
    char byte;
    EXPECT_LT(read(reader.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace nlsh
