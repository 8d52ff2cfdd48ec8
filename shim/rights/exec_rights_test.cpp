// A table of callers; exec_rights_random.py compares thousands with real execs.
#include "shim/rights/exec_rights.h"

#include <gtest/gtest.h>
#include <linux/securebits.h>

#include <string>

namespace {

constexpr uint64_t net_admin = 1ULL << CAP_NET_ADMIN;
constexpr uint64_t sys_admin = 1ULL << CAP_SYS_ADMIN;
constexpr uint64_t docker = 0xa80425fb;
constexpr exec_ids nobody{65534, 65534, 65534, 65534};

exec_rights root(uint64_t capabilities) {
    return {.user = {},
            .group = {},
            .effective = capabilities,
            .permitted = capabilities,
            .inheritable = 0,
            .ambient = 0,
            .bounding = capabilities,
            .securebits = 0,
            .no_new_privs = false};
}

exec_rights user(uint64_t ambient) {
    exec_rights rights = root(ambient);
    rights.user = rights.group = nobody;
    rights.inheritable = rights.ambient = ambient;
    rights.bounding = ~0ULL;
    return rights;
}

std::string change(const exec_rights& rights, exec_tool tool = EXEC_IP,
                   const exec_file* file = nullptr) {
    const char* reason = exec_rights_change(&rights, file, tool);
    return reason == nullptr ? "same" : reason;
}

TEST(ExecRights, OfRootAreTheBoundingSets) {
    EXPECT_EQ(change(root(docker)), "same");
    exec_rights rights = root(docker);
    rights.bounding |= sys_admin;
    EXPECT_EQ(change(rights), "an exec would gain CAP_SYS_ADMIN");
    rights.no_new_privs = true;  // which withholds capabilities that weren't permitted
    EXPECT_EQ(change(rights), "same");
    rights = root(docker | net_admin);
    rights.bounding = docker;
    EXPECT_EQ(change(rights), "an exec would lose CAP_NET_ADMIN");
    rights.inheritable = net_admin;
    EXPECT_EQ(change(rights), "same");
    rights.securebits = SECBIT_NOROOT;
    EXPECT_EQ(change(rights), "an exec would lose CAP_CHOWN");
}

TEST(ExecRights, OfUsersAreTheAmbientSets) {
    EXPECT_EQ(change(user(0)), "same");
    EXPECT_EQ(change(user(net_admin | sys_admin)), "same");
    exec_rights rights = user(net_admin);
    rights.ambient = 0;
    EXPECT_EQ(change(rights), "an exec would lose CAP_NET_ADMIN");
    rights = user(net_admin);
    rights.effective = 0;
    EXPECT_EQ(change(rights), "an exec would gain CAP_NET_ADMIN");
}

TEST(ExecRights, IpDropsWhatItCannotUse) {
    EXPECT_EQ(change(user(sys_admin)), "ip drops CAP_SYS_ADMIN");
    EXPECT_EQ(change(user(sys_admin), EXEC_PLAIN), "same");
    exec_rights rights = user(sys_admin);
    rights.inheritable |= net_admin;
    EXPECT_EQ(change(rights), "same");
}

TEST(ExecRights, IdsThatDifferAreReset) {
    for (uint32_t exec_ids::* id :
         {&exec_ids::real, &exec_ids::effective, &exec_ids::saved, &exec_ids::files}) {
        exec_rights rights = root(docker);
        rights.user.*id = 1;
        EXPECT_EQ(change(rights), "different uids");
        rights = root(docker);
        rights.group.*id = 1;
        EXPECT_EQ(change(rights), "different gids");
    }
}

TEST(ExecRights, FilesLend) {
    exec_file file{};
    file.setuid = true;
    EXPECT_EQ(change(root(docker), EXEC_IP, &file), "same");
    EXPECT_EQ(change(user(0), EXEC_IP, &file), "the tool is setuid");
    exec_rights rights = user(0);
    rights.no_new_privs = true;
    EXPECT_EQ(change(rights, EXEC_IP, &file), "same");
    file = {};
    file.setgid = true;
    EXPECT_EQ(change(root(docker), EXEC_IP, &file), "same");
    EXPECT_EQ(change(user(0), EXEC_IP, &file), "the tool is setgid");
    file = {};
    file.has_capabilities = file.makes_effective = true;
    file.permitted = net_admin;
    EXPECT_EQ(change(user(0), EXEC_IP, &file), "an exec would gain CAP_NET_ADMIN");
    EXPECT_EQ(change(root(docker | net_admin), EXEC_IP, &file), "same");
    EXPECT_EQ(change(root(docker), EXEC_IP, &file), "the tool's exec would fail");
    file.permitted = 0;  // the ambient set is cleared
    EXPECT_EQ(change(user(net_admin), EXEC_IP, &file), "an exec would lose CAP_NET_ADMIN");
}

TEST(ExecRights, AreReadInAStatus) {
    exec_rights rights{};
    EXPECT_FALSE(exec_rights_of_status("", &rights));
    EXPECT_FALSE(exec_rights_of_status("Name:\tx\nUid:\t0\t0\t0\n", &rights));
    const char* text =
        "Name:\tx\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nCapInh:\t0000000000000001\n"
        "CapPrm:\t0000000000000002\nCapEff:\t0000000000000003\nCapBnd:\t000001ffffffffff\n"
        "CapAmb:\t0000000000000004\nNoNewPrivs:\t1\nSeccomp:\t0\n";
    ASSERT_TRUE(exec_rights_of_status(text, &rights));
    EXPECT_EQ(rights.user.saved, 3U);
    EXPECT_EQ(rights.group.files, 8U);
    EXPECT_EQ(rights.inheritable, 1U);
    EXPECT_EQ(rights.permitted, 2U);
    EXPECT_EQ(rights.effective, 3U);
    EXPECT_EQ(rights.bounding, (1ULL << 41) - 1);
    EXPECT_EQ(rights.ambient, 4U);
    EXPECT_TRUE(rights.no_new_privs);
}

}  // namespace
