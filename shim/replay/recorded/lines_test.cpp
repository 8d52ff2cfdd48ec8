// nlsh's engine runs the recorded lines (recordings.xz) against the answers that iproute2 got,
// without a kernel, and must say what iproute2 said. A quick run of the whole corpus: the twin
// harness (compat-tests) compares kernels' states, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <regex>

#include "backend/objects/link/kinds/kinds.h"
#include "backend/read_file.h"
#include "backend/run.h"
#include "parser/ip/command.h"
#include "shim/replay/corpus.h"
#include "shim/replay/items.h"
#include "shim/replay/recorded/kernel.h"
#include "shim/replay/recorded/names.h"
#include "shim/replay/recorded_builds.h"

namespace nlsh {
namespace {

// Everything that one process was given, and said.
struct Process {
    std::vector<std::string> words;
    std::string out, err;
    int status = 0;
    bool elsewhere = false;  // it used more than netlink: files, ioctls, namespaces, a terminal
};

bool is_of_names(std::string_view file) {
    return file.contains("/iproute2/");
}

Process read_process(std::string_view tape) {
    Process process;
    each_item(tape, [&process](const item& each) {
        if (each.kind == 'a') process.words = split_at_nul(content(each));
        if (each.kind == 'o') process.out = content(each);
        if (each.kind == 'x') process.err = content(each);
        if (each.kind == 's') process.status = static_cast<int>(number_at(&each, 0)) >> 8;
        const bool file = each.kind == 'F' || each.kind == 'D' || each.kind == 'G';
        if (std::string_view("CIetm").contains(each.kind) || (file && !is_of_names(content(each))))
            process.elsewhere = true;
    });
    return process;
}

// Those that act otherwise than by a session's netlink.
bool acts_elsewhere(const Command& command) {
    constexpr std::array<std::string_view, 6> objects{"tunnel", "tuntap",  "tap",
                                                      "netns",  "monitor", "vrf"};
    const std::string_view object =
        std::string_view(command.summary).substr(0, command.summary.find(' '));
    return command.options.all || std::ranges::find(objects, object) != objects.end();
}

// iproute2 may have asked twice, while a bridge's timer ran.
std::string without_timers(const std::string& text) {
    static const std::regex timer("_timer +[0-9.]+");
    return std::regex_replace(text, timer, "_timer");
}

enum class Found { same, declined, elsewhere, asked_otherwise, different };

struct Outcome {
    Found found;
    std::string said = {};
};

Outcome run_against(std::string_view tape, const Process& process, const Traits& traits,
                    const NameTables& names) {
    const Tool tool = process.words[0].ends_with("bridge") ? Tool::bridge : Tool::ip;
    const auto command =
        parse_command(tool, Words(process.words).subspan(1), names, link_kinds(), traits);
    if (!command) return {Found::declined};
    if (process.elsewhere || acts_elsewhere(*command)) return {Found::elsewhere};
    bool otherwise = false;
    Session session(Session::Threads::none, [&](bool) {
        return Channel(std::make_unique<RecordedKernel>(tape, otherwise));
    });
    StringOutput out, err;
    Context context{.session = session, .names = names, .out = &out, .err = &err};
    const int status = run(context, *command);
    if (otherwise) return {Found::asked_otherwise};
    if (context.fallback && !context.committed) return {Found::declined};
    const bool same =
        err.text == process.err && status == process.status &&
        (out.text == process.out || without_timers(out.text) == without_timers(process.out));
    return same ? Outcome{Found::same} : Outcome{Found::different, out.text + err.text};
}

constexpr size_t same_least = 19'800;  // never fewer

// NLSH_RECORDED: of which scenario files, and to see the differences.
TEST(RecordedLines, AreSaidAsTheyWereRecorded) {
    const char* only = getenv("NLSH_RECORDED");
    auto corpus = Corpus::read(NLSH_RECORDINGS_FILE);
    ASSERT_TRUE(corpus) << corpus.error();
    RecordedNames names(*corpus);
    std::map<Found, size_t> counts;
    for (const RecordedLine& line : corpus->lines()) {
        if (only != nullptr && !line.label.starts_with(only)) continue;
        const std::string_view build = corpus->builds()[line.build];
        const auto traits = traits_of_recorded(build);
        ASSERT_TRUE(traits);
        for (const size_t number : line.tapes) {
            const std::string_view tape = corpus->tape(number);
            const Process process = read_process(tape);
            if (process.words.empty()) continue;
            const Outcome verdict =
                run_against(tape, process, *traits, names.of(tape, *traits, build));
            ++counts[verdict.found];
            EXPECT_FALSE(verdict.found == Found::different)
                << build << " " << line.label << "\nsaid:\n"
                << verdict.said << "recorded:\n"
                << process.out << process.err;
        }
    }
    if (only == nullptr) {
        EXPECT_GE(counts[Found::same], same_least);
    }
    std::cout << counts[Found::same] << " the same, " << counts[Found::declined] << " declined, "
              << counts[Found::elsewhere] << " need more than netlink, "
              << counts[Found::asked_otherwise] << " ask the kernel otherwise, "
              << counts[Found::different] << " different\n";
}

}  // namespace
}  // namespace nlsh
