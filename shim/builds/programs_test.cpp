#include "shim/builds/programs.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace nlsh {
namespace {

namespace fs = std::filesystem;

// A program named dash, in its own directory.
class GenuineTest : public ::testing::Test {
  protected:
    GenuineTest() {
        char name[] = "/tmp/nlsh-programs-XXXXXX";
        directory = mkdtemp(name);
        std::ifstream file("/bin/dash", std::ios::binary);
        dash.assign(std::istreambuf_iterator<char>(file), {});
    }
    ~GenuineTest() override { fs::remove_all(directory); }

    bool is_genuine(const std::string& bytes) const {
        const fs::path path = directory / "dash";
        std::ofstream(path, std::ios::binary) << bytes;
        fs::permissions(path, fs::perms::owner_all);
        return genuine(path, "dash") != Genuine::no;
    }
    // With its program headers changed.
    template <typename Change>
    std::string with_segments(Change change) const {
        std::string bytes = dash;
        ElfW(Ehdr) header;
        std::memcpy(&header, bytes.data(), sizeof header);
        for (size_t i = 0; i < header.e_phnum; ++i) {
            ElfW(Phdr) segment;
            char* const at = bytes.data() + header.e_phoff + i * sizeof segment;
            std::memcpy(&segment, at, sizeof segment);
            change(segment);
            std::memcpy(at, &segment, sizeof segment);
        }
        return bytes;
    }

    fs::path directory;
    std::string dash;
};

TEST_F(GenuineTest, TheProgramItself) {
    if (dash.empty()) GTEST_SKIP() << "no dash";
    EXPECT_TRUE(is_genuine(dash));
}

TEST_F(GenuineTest, OthersOfItsName) {
    std::ifstream other("/bin/true", std::ios::binary);
    EXPECT_FALSE(is_genuine({std::istreambuf_iterator<char>(other), {}}));
    for (const char* bytes :
         {"", "#!/bin/sh\n", "\177ELF", "Maximum function recursion depth (%d) reached"})
        EXPECT_FALSE(is_genuine(bytes)) << bytes;
}

TEST_F(GenuineTest, WhateverItsHeadersSay) {
    if (dash.empty()) GTEST_SKIP() << "no dash";
    EXPECT_TRUE(is_genuine(with_segments([](auto& segment) { segment.p_flags = PF_R | PF_X; })));
    EXPECT_TRUE(is_genuine(with_segments([](auto& segment) { segment.p_offset = 1; })));
    EXPECT_TRUE(is_genuine(with_segments([](auto& segment) {
        segment.p_flags = PF_R;
        segment.p_offset = segment.p_filesz = static_cast<decltype(segment.p_offset)>(-4096);
    })));
    EXPECT_TRUE(is_genuine(with_segments([](auto& segment) { segment.p_filesz = 0; })));
    for (const size_t size : {4UL, 63UL, 64UL, 100UL, 1023UL, 4096UL})
        EXPECT_FALSE(is_genuine(dash.substr(0, size))) << size;
}

TEST_F(GenuineTest, CoreutilsOfEachVersion) {
    std::ifstream file("/bin/echo", std::ios::binary);
    const std::string echo{std::istreambuf_iterator<char>(file), {}};
    const size_t version = echo.find(std::string("\0009.", 3));
    if (version == echo.npos) GTEST_SKIP() << "no coreutils of version 9";
    const fs::path path = directory / "echo";
    for (const auto& [text, expected] :
         {std::pair("9.0", Genuine::as_called), std::pair("9.1", Genuine::as_called),
          std::pair("9.2", Genuine::unsure), std::pair("9.6", Genuine::unsure),
          std::pair("9.7", Genuine::short_name), std::pair("9.9", Genuine::short_name)}) {
        std::string bytes = echo;
        std::ofstream(path, std::ios::binary) << bytes.replace(version + 1, 3, text);
        fs::permissions(path, fs::perms::owner_all);
        EXPECT_EQ(genuine(path, "echo"), expected) << text;
    }
}

}  // namespace
}  // namespace nlsh
