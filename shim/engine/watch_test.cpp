// What has changed is told by the watch, and where that sees nothing, by stamps.
#include "shim/engine/watch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "shim/engine/reference.h"

namespace nlsh {
namespace {

class WatchTest : public testing::Test {
  protected:
    WatchTest() {
        char pattern[] = "/tmp/nlsh-watch-XXXXXX";
        directory_ = mkdtemp(pattern);
        write("file", "x");
        write("folder/entry", "x");
    }
    ~WatchTest() override { std::filesystem::remove_all(directory_); }
    std::string path(const std::string& name) const { return directory_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        std::ofstream(path(name), std::ios::app) << text;
    }
    void add_all() {
        watch_.add_file(path("file"));
        watch_.add_file(path("missing"));
        watch_.add(path("folder"));
    }
    std::string directory_;
    Watch watch_;
};

TEST_F(WatchTest, NothingHasChanged) {
    add_all();
    EXPECT_FALSE(watch_.changed());
    EXPECT_TRUE(watch_.same());
    EXPECT_TRUE(watch_.same());
}

// The events are left unread, as if there had been none.
TEST_F(WatchTest, StampsTellOfAFile) {
    add_all();
    write("file", "y");
    EXPECT_FALSE(watch_.same());
    add_all();
    EXPECT_TRUE(watch_.same());
}

TEST_F(WatchTest, StampsTellOfAFileThatCame) {
    add_all();
    write("missing", "y");
    EXPECT_FALSE(watch_.same());
}

TEST_F(WatchTest, StampsTellOfADirectorysEntries) {
    add_all();
    std::filesystem::remove(path("folder/entry"));
    EXPECT_FALSE(watch_.same());
}

TEST_F(WatchTest, StampsTellOfAnotherFileBehindALink) {
    std::filesystem::create_symlink("file", path("link"));
    watch_.add_file(path("link"));
    write("other", "x");
    std::filesystem::remove(path("link"));
    std::filesystem::create_symlink("other", path("link"));
    EXPECT_FALSE(watch_.same());
}

TEST_F(WatchTest, TheWatchTellsFirst) {
    add_all();
    write("file", "y");
    EXPECT_TRUE(watch_.changed());
    add_all();
    EXPECT_FALSE(watch_.changed());
    EXPECT_TRUE(watch_.same());
}

// Another iproute2 by the environment is another one, whatever files say.
TEST(ReferencesTest, AreSettledAsLongAsTheEnvironmentNamesTheSame) {
    References references;
    EXPECT_TRUE(references.settled()) << "nothing was looked up";
    const Reference& ip = references[Tool::ip];
    if (!ip.settled) GTEST_SKIP() << "iproute2 isn't one that is written down";
    EXPECT_TRUE(references.settled());
    setenv("NLSH_REAL_IP", "/nonexistent/ip", 1);
    EXPECT_FALSE(references.settled());
    EXPECT_FALSE(References()[Tool::ip].settled) << "the file may come";
    unsetenv("NLSH_REAL_IP");
    EXPECT_TRUE(references.settled());
}

TEST(ReferencesTest, AreNotSettledWhereTheBuildIsntWrittenDown) {
    setenv("NLSH_REAL_IP", "/bin/true", 1);
    References references;
    EXPECT_FALSE(references[Tool::ip].settled);
    EXPECT_FALSE(references.settled());
    unsetenv("NLSH_REAL_IP");
}

}  // namespace
}  // namespace nlsh
