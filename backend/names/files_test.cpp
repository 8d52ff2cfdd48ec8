// Name files that change, come and go are read again.
#include "backend/names/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

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

    void start() {
        files = std::make_unique<NameFiles>(
            NamePlaces{.own = directory.string(),
                       .shared = (directory / "shared").string(),
                       .protocols = (directory / "protocols").string()});
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(directory / name) << text;
    }
    std::optional<uint32_t> table(std::string_view name) {
        return files->tables(traits)->value(NameKind::table, name);
    }

    std::filesystem::path directory;
    Traits traits = iproute2_6_1();
    std::unique_ptr<NameFiles> files;
};

TEST_F(Files, AreReadAgainWhenTheyChange) {
    write("rt_tables", "7 blue\n");
    start();
    const auto before = files->tables(traits);
    EXPECT_EQ(table("blue"), 7U);
    EXPECT_EQ(files->tables(traits), before);  // unchanged: not read again
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
    start();
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
    start();
    EXPECT_FALSE(files->tables(traits)->corrupted);
    write("group", "no number\n");
    EXPECT_TRUE(files->tables(traits)->corrupted);
    write("group", "# " + std::string(508, 'x') + "\n7 blue\n");
    EXPECT_FALSE(files->tables(traits)->corrupted);
    write("group",
          "# " + std::string(520, 'x') + "\n");  // read in two pieces, no comment the second
    EXPECT_TRUE(files->tables(traits)->corrupted);
}

TEST_F(Files, OfOtherTypesAreLeftToTheRealOne) {
    start();
    std::filesystem::create_directory(directory / "group");  // reads as empty
    EXPECT_FALSE(files->tables(traits)->corrupted);
    ASSERT_EQ(mkfifo((directory / "rt_realms").c_str(), 0600), 0);
    EXPECT_TRUE(files->tables(traits)->corrupted);
    std::filesystem::remove(directory / "rt_realms");
    std::filesystem::create_symlink("/dev/zero", directory / "rt_realms");
    EXPECT_TRUE(files->tables(traits)->corrupted);
}

TEST_F(Files, MayNameANumberTwice) {
    start();
    write("rt_tables", "7 blue\r\n7 azure\r\n8 a#b\n254 haupt\n");
    write("rt_protos", "7 blue\n7 azure\n");
    EXPECT_EQ(table("blue"), 7U);
    EXPECT_EQ(table("azure"), 7U);
    EXPECT_EQ(table("a#b"), 8U);
    EXPECT_EQ(table("main"), 254U);
    const auto tables = files->tables(traits);
    EXPECT_EQ((*tables)[NameKind::table].name(7), "azure");
    EXPECT_EQ((*tables)[NameKind::table].name(254), "haupt");
    EXPECT_FALSE((*tables)[NameKind::protocol].number("blue"));  // an array holds one name each
    EXPECT_EQ((*tables)[NameKind::protocol].number("azure"), 7U);
    EXPECT_FALSE(tables->corrupted);
    // Renamed once the file is read, which iproute2 may do too late.
    write("rt_protos", "2 core\n");
    EXPECT_TRUE(files->tables(traits)->corrupted);
}

TEST_F(Files, OfNewerBuildsAreSharedUnlessThereAreOwnOnes) {
    std::filesystem::create_directories(directory / "shared/rt_tables.d");
    std::filesystem::create_directories(directory / "rt_tables.d");
    start();
    write("shared/rt_tables", "7 blue\n");
    write("shared/rt_tables.d/one.conf", "8 green\n");
    write("shared/rt_tables.d/two.conf", "9 red\n");
    EXPECT_FALSE(table("blue"));  // not read by older builds
    EXPECT_FALSE(table("green"));
    traits = iproute2_6_15();
    EXPECT_EQ(table("blue"), 7U);
    EXPECT_EQ(table("green"), 8U);
    write("rt_tables", "17 blue\n");
    write("rt_tables.d/one.conf", "18 white\n");
    EXPECT_EQ(table("blue"), 17U);
    EXPECT_EQ(table("white"), 18U);
    EXPECT_FALSE(table("green"));
    EXPECT_EQ(table("red"), 9U);
    traits.forget(Trait::names_in_usr_share);
    EXPECT_TRUE(files->tables(traits)->corrupted);
}

TEST_F(Files, OfProtocolsNameThoseThatAreUsual) {
    const auto number = [this](std::string_view name) {
        return (*files->tables(traits))[NameKind::ip_protocol].number(name);
    };
    start();
    EXPECT_FALSE(number("tcp"));  // Debian without netbase
    write("protocols", "# usual\nicmp\t1\tICMP # control\ntcp 6 TCP\nudp 17 UDP\nospf 89\n");
    EXPECT_EQ(number("tcp"), 6U);
    EXPECT_EQ(number("icmp"), 1U);
    EXPECT_FALSE(number("ipv6-icmp"));
    EXPECT_FALSE(number("ospf"));  // not usual
    write("protocols", "mine 6 tcp\nudp 18\nudp 17\n");
    EXPECT_FALSE(number("tcp"));
    EXPECT_FALSE(number("udp"));
}

}  // namespace
}  // namespace nlsh
