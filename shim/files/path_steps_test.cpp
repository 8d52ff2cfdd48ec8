#include "shim/files/path_steps.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace nlsh {
namespace {

class PathStepsTest : public testing::Test {
  protected:
    PathStepsTest() {
        char pattern[] = "/tmp/nlsh-steps-XXXXXX";
        directory_ = mkdtemp(pattern);
    }
    ~PathStepsTest() override { std::filesystem::remove_all(directory_); }
    // The steps below the test's own directory.
    std::vector<std::string> steps(const std::string& path) const {
        std::vector<std::string> found;
        for (const PathStep& step : path_steps(directory_ + "/" + path))
            if (path_of(step).starts_with(directory_ + "/"))
                found.push_back(path_of(step).substr(directory_.size() + 1));
        return found;
    }
    std::string directory_;
};

TEST_F(PathStepsTest, LeadThroughLinks) {
    namespace fs = std::filesystem;
    fs::create_directories(directory_ + "/real/deep");
    std::ofstream(directory_ + "/real/deep/ip") << "x";
    fs::create_symlink("real", directory_ + "/relative");
    fs::create_symlink(directory_ + "/relative/deep/../deep/ip", directory_ + "/absolute");
    EXPECT_THAT(steps("real/deep/ip"), testing::ElementsAre("real", "real/deep", "real/deep/ip"));
    EXPECT_THAT(steps("relative/deep/ip"),
                testing::ElementsAre("relative", "real", "real/deep", "real/deep/ip"));
    EXPECT_THAT(steps("absolute"), testing::ElementsAre("absolute", "relative", "real", "real/deep",
                                                        "real/deep", "real/deep/ip"));
}

TEST_F(PathStepsTest, EndAtWhatIsNotThere) {
    std::filesystem::create_symlink("loop", directory_ + "/loop");
    EXPECT_THAT(steps("none/ip"), testing::ElementsAre("none"));
    EXPECT_LT(steps("loop").size(), 100U);
    EXPECT_EQ(path_steps("/").size(), 0U);
}

}  // namespace
}  // namespace nlsh
