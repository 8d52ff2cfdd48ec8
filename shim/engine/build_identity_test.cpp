#include "shim/engine/build_identity.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace nlsh {
namespace {

// A small executable: headers, a note, and one segment with the constants.
class File {
  public:
    File(unsigned flags, const std::string& constants) {
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = 2;
        const std::string note("\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\xab\x01\xff\0", 20);
        Elf64_Phdr notes{}, load{};
        notes.p_type = PT_NOTE;
        notes.p_offset = sizeof header + 2 * sizeof notes;
        notes.p_filesz = note.size();
        load.p_type = PT_LOAD;
        load.p_flags = flags;
        load.p_offset = notes.p_offset + note.size();
        load.p_filesz = constants.size();
        std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
        bytes.append(reinterpret_cast<const char*>(&notes), sizeof notes);
        bytes.append(reinterpret_cast<const char*>(&load), sizeof load);
        std::ofstream(path_, std::ios::binary) << bytes << note << constants;
    }
    ~File() { unlink(path_.c_str()); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    BuildIdentity identity() const { return identify(path_).value_or(BuildIdentity{}); }

  private:
    const std::string path_ = testing::TempDir() + "nlsh-build-" + std::to_string(getpid());
};

const std::string six("\0006.1.0\0", 7);

TEST(BuildIdentity, IsReadFromTheNoteAndTheConstants) {
    const BuildIdentity identity = File(PF_R, "text" + six).identity();
    EXPECT_EQ(identity.build_id, "ab01ff");
    EXPECT_EQ(identity.version, "6.1.0");
    EXPECT_GT(identity.size, 0);
}

TEST(BuildIdentity, VersionMayStandAnywhere) {
    for (const size_t place : {4089UL, 4090UL, 4093UL, 4096UL, 100000UL}) {
        EXPECT_EQ(File(PF_R, std::string(place, 'x') + six).identity().version, "6.1.0") << place;
        EXPECT_EQ(File(PF_R | PF_X, std::string(place, 'x') + six).identity().version, "6.1.0");
    }
}

TEST(BuildIdentity, OnlyAConstantOfItsOwnIsAVersion) {
    EXPECT_EQ(File(PF_R, "16.1.0").identity().version, "");
    EXPECT_EQ(File(PF_R, std::string("\0006.1.0-rc1\0", 11)).identity().version, "");
    EXPECT_EQ(File(PF_R, std::string("\0006.2.0\0", 7)).identity().version, "");
    EXPECT_EQ(File(PF_R | PF_W, six).identity().version, "");
}

TEST(BuildIdentity, OtherFilesHaveNone) {
    EXPECT_FALSE(identify("/nosuch"));
    EXPECT_FALSE(identify("/etc/passwd"));
    EXPECT_FALSE(identify("/"));
}

}  // namespace
}  // namespace nlsh
