#include "shim/lines/carried.h"

#include <gmock/gmock.h>

#include <vector>

namespace nlsh {
namespace {

using testing::HasSubstr;
using Lines = std::vector<std::string>;

// "2: …", the first fault of a file; empty: none.
std::string fault(const Lines& lines) {
    Carried carried;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (const auto found = carried.next(i + 1, lines[i]))
            return std::to_string(found->line) + ": " + found->reason;
    }
    return {};
}

TEST(Carried, LinesThatStandAlone) {
    for (const Lines& lines : std::vector<Lines>{
             {"ip link show lo", "ip link set lo up && ip link show lo | grep -q UP || false"},
             {"x=$(ip -o link | wc -l); echo $x", "x=2; echo $x", "x=3 y=4; echo $y $x"},
             {"x=1 ip link", "echo $x"},
             {"(cd /; umask 0; x=1)", "echo $x", "ip link | (exit 1) || true"},
             {"for i in 1 2; do ip link set lo mtu 140$i; done", "for i in 3; do echo $i; done"},
             {"case $TERM in (a|b) true;; c) false;; *) echo;; esac", "echo $((1 + (2 * 3)))"},
             {"if ip link show x; then exit_code=1; else true; fi", "echo \"${HOME:-x}\" '$x'"},
             {"{ ip link; ip addr; }", "! ip link show nosuch", "ip link # cd /",
              "echo 'cd' \"set\""},
             {"ip link", "cd /"},  // nothing comes after it
             {"ip link", "ip link show nosuch || exit 1"},
             {"echo \\\\", "bash -c \"cd / && ip link show dev \\\"lo\\\"\"",
              "ip link 2>&1 >/dev/null"},
             {"sleep 1 & wait", "sleep 1 & echo $!"},
             {"echo x | while read -r line; do echo; done", "echo `ip link | wc -l`"},
         })
        EXPECT_EQ(fault(lines), "") << lines[0];
}

TEST(Carried, WhatAShellWouldKeep) {
    struct Case {
        Lines lines;
        const char* says;
    };
    for (const auto& [lines, says] : std::vector<Case>{
             {{"x=nosuch", "ip link del $x"}, "2: $x is set by line 1"},
             {{"x=1; echo $x", "ip link", "echo \"${x:-2}\""}, "3: $x is set by line 1"},
             {{"true && x=1", "true && x=2; echo $x"}, "2: $x is set by line 1"},
             {{"a=1 b=2", "echo $a"}, "2: $a is set by line 1"},
             {{"read a b", "echo $((b + 1))"}, "2: $b is set by line 1"},
             {{": ${q:=eth0}", "ip link show $q"}, "2: $q is set by line 1"},
             {{"for i in 1 2; do true; done", "echo $i"}, "2: $i is set by line 1"},
             {{"PATH=/nowhere", "ip link"}, "1: 'PATH=' would act"},
             {{"IFS=:", "ip link"}, "1: 'IFS=' would act"},
             {{"cd /tmp", "ip link"}, "1: 'cd' would act"},
             {{"ip link && \\cd /tmp", "ip link"}, "1: 'cd' would act"},
             {{"export A=1", "ip link"}, "1: 'export' would act"},
             {{"set -e", "ip link"}, "1: 'set' would act"},
             {{"ip link show lo && exit 0", "ip link"}, "1: 'exit' would act"},
             {{"unset PATH", "ip link"}, "1: 'unset' would act"},
             {{"{ umask 0; }", "ip link"}, "1: 'umask' would act"},
             {{". ./x", "ip link"}, "1: '.' would act"},
             {{"command cd /", "ip link"}, "1: 'cd' would act"},
             {{"f() { ip link; }", "f"}, "1: 'f()' would act"},
             {{"f () { ip link; }", "f"}, "1: 'f()' would act"},
             {{"case x in a|b) cd /;; esac", "ip link"}, "1: 'cd' would act"},
             {{"for i in 1 2; do echo $?; done", "for i in 1; do echo $?; done"}, "2: $? is"},
             {{"ip link", "echo $?"}, "2: $? is"},
             {{"sleep 9 &", "wait"}, "2: wait acts on"},
             {{"sleep 9 &", "kill $!"}, "2: $! is"},
             {{"ip link show \\"}, "1: unfinished: what follows the \\"},
             {{"ip link show 'lo"}, "1: unfinished: a closing '"},
             {{"echo \"lo"}, "1: unfinished: a closing \""},
             {{"ip link &&"}, "1: unfinished: a command"},
             {{"ip link |"}, "1: unfinished: a command"},
             {{"if true; then"}, "1: unfinished: fi"},
             {{"fi"}, "1: unfinished: the beginning of fi"},
             {{"for i in 1 2"}, "1: unfinished: done"},
             {{"case x in"}, "1: unfinished: esac"},
             {{"(ip link"}, "1: unfinished: )"},
             {{"echo $(ip link"}, "1: unfinished: )"},
             {{"{ ip link"}, "1: unfinished: }"},
             {{"cat <<X"}, "1: unfinished: the text of a here-document"},
         })
        EXPECT_THAT(fault(lines), HasSubstr(says)) << lines[0];
}

TEST(Carried, OddBytesEndSomewhere) {
    for (const char* line :
         {"$", "${", "$((", "`", "\\", ")", "\"$(", "'", "#", "&", ";;", "((", "x=", "\xff\x01"})
        fault({line, line});
}

}  // namespace
}  // namespace nlsh
