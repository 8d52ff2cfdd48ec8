#include "shim/builds/build_identity.h"

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

TEST(BuildIdentity, IsReadFromTheNote) {
    const BuildIdentity identity = File(PF_R, "text").identity();
    EXPECT_EQ(identity.build_id, "ab01ff");
    EXPECT_GT(identity.size, 0);
    EXPECT_GT(identity.modified.tv_sec, 0);
}

TEST(BuildIdentity, OtherFilesHaveNone) {
    EXPECT_FALSE(identify("/nosuch"));
    EXPECT_FALSE(identify("/etc/passwd"));
    EXPECT_FALSE(identify("/"));
}

}  // namespace
}  // namespace nlsh
