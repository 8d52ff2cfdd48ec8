#include "shim/files/watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace nlsh {
namespace {

constexpr const char* old_file = "/usr/bin/env";

struct Place {
    std::string path = std::filesystem::temp_directory_path() / "nlsh-watch-XXXXXX";
    Place() { EXPECT_NE(mkdtemp(path.data()), nullptr); }
    ~Place() { std::filesystem::remove_all(path); }
    std::string file(const char* name) const { return path + "/" + name; }
    void write(const char* name) const { std::ofstream(file(name)) << "text"; }
};

TEST(Watch, StampsHoldWhileNothingChanges) {
    Watch watch(Watch::By::stamps);
    watch.add_file(old_file);
    watch.add_file("/nonexistent/file");
    EXPECT_TRUE(watch.stamps_hold());
    EXPECT_FALSE(watch.changed());  // only stamps tell
    EXPECT_FALSE(watch.blind());
}

TEST(Watch, StampsShowAFileThatAppears) {
    const Place place;
    Watch watch(Watch::By::stamps);
    watch.add_file(place.file("a"));
    EXPECT_TRUE(watch.stamps_hold());
    place.write("a");
    EXPECT_FALSE(watch.stamps_hold());
}

// The file could change twice in a tick of its file system's clock.
TEST(Watch, StampsOfAYoungFileAreNotTrusted) {
    const Place place;
    place.write("a");
    Watch watch(Watch::By::stamps);
    watch.add_file(place.file("a"));
    EXPECT_FALSE(watch.stamps_hold());
    watch.forget();
    watch.add_file(old_file);
    EXPECT_TRUE(watch.stamps_hold());
}

TEST(Watch, NoticesAFileThatChanges) {
    const Place place;
    place.write("a");
    Watch watch;
    watch.add_file(place.file("a"));
    watch.changed();
    EXPECT_FALSE(watch.changed());
    place.write("a");
    EXPECT_TRUE(watch.changed());
    EXPECT_FALSE(watch.changed());
}

}  // namespace
}  // namespace nlsh
