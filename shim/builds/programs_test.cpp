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
class Genuine : public ::testing::Test {
  protected:
    Genuine() {
        char name[] = "/tmp/nlsh-programs-XXXXXX";
        directory = mkdtemp(name);
        std::ifstream file("/bin/dash", std::ios::binary);
        dash.assign(std::istreambuf_iterator<char>(file), {});
    }
    ~Genuine() override { fs::remove_all(directory); }

    bool genuine(const std::string& bytes) const {
        const fs::path path = directory / "dash";
        std::ofstream(path, std::ios::binary) << bytes;
        fs::permissions(path, fs::perms::owner_all);
        return is_genuine(path, "dash");
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

TEST_F(Genuine, TheProgramItself) {
    if (dash.empty()) GTEST_SKIP() << "no dash";
    EXPECT_TRUE(genuine(dash));
}

TEST_F(Genuine, OthersOfItsName) {
    std::ifstream other("/bin/true", std::ios::binary);
    EXPECT_FALSE(genuine({std::istreambuf_iterator<char>(other), {}}));
    for (const char* bytes :
         {"", "#!/bin/sh\n", "\177ELF", "Maximum function recursion depth (%d) reached"})
        EXPECT_FALSE(genuine(bytes)) << bytes;
}

TEST_F(Genuine, WhateverItsHeadersSay) {
    if (dash.empty()) GTEST_SKIP() << "no dash";
    EXPECT_TRUE(genuine(with_segments([](auto& segment) { segment.p_flags = PF_R | PF_X; })));
    EXPECT_TRUE(genuine(with_segments([](auto& segment) { segment.p_offset = 1; })));
    EXPECT_TRUE(genuine(with_segments([](auto& segment) {
        segment.p_flags = PF_R;
        segment.p_offset = segment.p_filesz = static_cast<decltype(segment.p_offset)>(-4096);
    })));
    EXPECT_TRUE(genuine(with_segments([](auto& segment) { segment.p_filesz = 0; })));
    for (const size_t size : {4UL, 63UL, 64UL, 100UL, 1023UL, 4096UL})
        EXPECT_FALSE(genuine(dash.substr(0, size))) << size;
}

}  // namespace
}  // namespace nlsh
