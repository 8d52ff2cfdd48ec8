// Name files that change, come and go are read again.
#include "backend/names/files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace nlsh {
namespace {

class Files : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string place = (std::filesystem::temp_directory_path() / "names-XXXXXX").string();
        ASSERT_NE(mkdtemp(place.data()), nullptr);
        directory = place;
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(directory / name) << text;
    }
    std::optional<uint32_t> table(std::string_view name) {
        return files->tables()->value(NameKind::table, name);
    }

    std::filesystem::path directory;
    std::unique_ptr<NameFiles> files;
};

TEST_F(Files, AreReadAgainWhenTheyChange) {
    write("rt_tables", "7 blue\n");
    files = std::make_unique<NameFiles>(directory.string());
    const auto before = files->tables();
    EXPECT_EQ(table("blue"), 7U);
    EXPECT_EQ(files->tables(), before);  // unchanged: not read again
    write("rt_tables", "7 blue\n8 green\n");
    EXPECT_EQ(table("green"), 8U);
    write("rt_tables.new", "9 red\n");  // as editors do it
    std::filesystem::rename(directory / "rt_tables.new", directory / "rt_tables");
    EXPECT_EQ(table("red"), 9U);
    EXPECT_FALSE(table("blue"));
    std::filesystem::remove(directory / "rt_tables");
    EXPECT_FALSE(table("red"));
    EXPECT_EQ(table("main"), 254U);
}

TEST_F(Files, OfADirectoryComeAndGo) {
    files = std::make_unique<NameFiles>(directory.string());
    EXPECT_FALSE(table("blue"));
    std::filesystem::create_directory(directory / "rt_tables.d");
    write("rt_tables.d/one.conf", "7 blue\n");
    EXPECT_EQ(table("blue"), 7U);
    write("rt_tables.d/one.conf", "17 blue\n");
    EXPECT_EQ(table("blue"), 17U);
    write("rt_tables.d/two.conf", "8 green\n");
    EXPECT_EQ(table("green"), 8U);
    write("rt_tables.d/three", "9 red\n");
    EXPECT_FALSE(table("red"));
    std::filesystem::remove(directory / "rt_tables.d/one.conf");
    EXPECT_FALSE(table("blue"));
}

TEST_F(Files, ThatAreCorruptedAreSaidToBe) {
    files = std::make_unique<NameFiles>(directory.string());
    EXPECT_FALSE(files->tables()->corrupted);
    write("group", "no number\n");
    EXPECT_TRUE(files->tables()->corrupted);
}

}  // namespace
}  // namespace nlsh
