#include "shim/rights/file_trust.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace nlsh {
namespace {

constexpr uid_t root = 0, unmapped = 65534, caller = 1000, other = 1001;

struct File {
    uid_t owner = root;
    mode_t mode = 0644;
};

class FileTrust : public testing::Test {
  protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "needs root, who gives files away";
        char name[] = "/tmp/nlsh-trust-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        folder_ = name;
        path_ = folder_ + "/engine.so", own_ = folder_ + "/preload.so";
    }
    void TearDown() override {
        unlink(path_.c_str());
        unlink(own_.c_str());
        rmdir(folder_.c_str());
    }
    static void give(const std::string& path, const File& file) {
        close(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        ASSERT_EQ(chown(path.c_str(), file.owner, 0), 0);
        ASSERT_EQ(chmod(path.c_str(), file.mode), 0);
    }
    bool trusted(const File& file, const File& own, const File& folder) {
        give(path_, file);
        give(own_, own);
        EXPECT_EQ(chown(folder_.c_str(), folder.owner, 0), 0);
        EXPECT_EQ(chmod(folder_.c_str(), folder.mode), 0);
        return file_is_trusted_beside(path_.c_str(), caller, own_.c_str());
    }
    std::string folder_, path_, own_;
};

TEST_F(FileTrust, OfRootOrTheCallerWhateverIsBesideIt) {
    EXPECT_TRUE(trusted({root}, {other}, {other, 0777}));
    EXPECT_TRUE(trusted({caller}, {other}, {other, 0777}));
    EXPECT_TRUE(file_is_trusted(path_.c_str(), caller));
    EXPECT_FALSE(trusted({root, 0664}, {root}, {root, 0755}));
    EXPECT_FALSE(trusted({root, 0646}, {root}, {root, 0755}));
    EXPECT_FALSE(trusted({other}, {other}, {other, 0755}));
}

TEST_F(FileTrust, OfNobodyKnownOnlyBesideWhatIsLoaded) {
    EXPECT_TRUE(trusted({unmapped}, {unmapped}, {unmapped, 0755}));
    EXPECT_FALSE(file_is_trusted(path_.c_str(), caller));
    EXPECT_FALSE(trusted({unmapped}, {root}, {unmapped, 0755}));
    EXPECT_FALSE(trusted({unmapped}, {caller}, {unmapped, 0755}));
    EXPECT_FALSE(trusted({unmapped}, {unmapped}, {root, 0755}));
    EXPECT_FALSE(trusted({unmapped}, {unmapped}, {unmapped, 0775}));
    EXPECT_FALSE(trusted({unmapped}, {unmapped}, {unmapped, 01777}));
    EXPECT_FALSE(trusted({unmapped, 0666}, {unmapped}, {unmapped, 0755}));
    EXPECT_FALSE(trusted({unmapped}, {unmapped, 0666}, {unmapped, 0755}));
}

TEST_F(FileTrust, OfOddPaths) {
    ASSERT_TRUE(trusted({unmapped}, {unmapped}, {unmapped, 0755}));
    const char* const path = path_.c_str();
    for (const char* own : {static_cast<const char*>(nullptr), "", "preload.so", "/nosuch",
                            "/proc/self/exe", folder_.c_str()})
        EXPECT_FALSE(file_is_trusted_beside(path, caller, own));
    for (const std::string& each :
         {std::string(), std::string("engine.so"), folder_, folder_ + "/",
          std::string(5000, '/') + path_, "/proc/self/root" + path_ + "/"})
        EXPECT_FALSE(file_is_trusted_beside(each.c_str(), caller, own_.c_str())) << each;
}

}  // namespace
}  // namespace nlsh
