#include "shim/replay/qualify.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <future>
#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "backend/read_file.h"
#include "parser/ip/traits/trait_names.h"
#include "shim/process/places.h"
#include "shim/replay/ask.h"
#include "shim/replay/corpus.h"
#include "shim/replay/made_lines.h"
#include "shim/replay/probe.h"
#include "shim/replay/recorded_builds.h"
#include "shim/replay/tally.h"

namespace nlsh {
namespace {

using Answers = std::vector<Replayed>;
using Verdict = Replayed::Verdict;

// As ProbeRow has answers: of a recording that has all that the build asked, or else of the
// newest, which comes last.
std::unordered_map<std::string_view, std::string> answers_to_probes(const Corpus& corpus,
                                                                    const Answers& answers) {
    std::unordered_map<std::string_view, std::string> said;
    std::unordered_set<std::string_view> sure;
    for (const RecordedLine& line : corpus.lines()) {
        if (line.probe.empty() || line.tapes.size() != 1) continue;
        const Replayed& answer = answers[line.tapes.front()];
        if (answer.verdict == Verdict::not_run || !WIFEXITED(answer.status)) continue;
        const bool repeated = answer.asked_the_same;
        if (!repeated && sure.contains(line.probe)) continue;
        if (repeated) sure.insert(line.probe);
        said[line.probe] = fmt::format("^{}status {}\n", answer.said, WEXITSTATUS(answer.status));
    }
    return said;
}

Probed probed(Tool tool, const std::string& path, const Corpus& corpus, const Answers& answers) {
    const auto said = answers_to_probes(corpus, answers);
    const std::string file = read_file(path);
    std::vector<std::string> texts;
    for (const ProbeRow& row : probe_rows()) {
        if (row.constant) {
            texts.emplace_back(file.contains(row.command) ? "status there" : "status missing");
            continue;
        }
        const auto answer = said.find(row.command);
        texts.push_back(answer == said.end() ? std::string() : answer->second);
    }
    Probed found = judge(tool, texts);
    constexpr std::string_view status = "status 255\n";
    const auto usage = said.find("bridge fdb help");
    if (tool == Tool::bridge && usage != said.end() && usage->second.ends_with(status))
        found.fdb_usage = usage->second.substr(1, usage->second.size() - 1 - status.size());
    return found;
}

// Of each recorded build, the traits that the installed one has like it.
std::vector<TraitNames> traits_alike(const Corpus& corpus, const Traits& traits) {
    std::vector<TraitNames> alike;
    for (const std::string_view build : corpus.builds()) {
        const auto known = traits_of_recorded(build);
        alike.emplace_back();
        for (uint8_t i = 0; known && i < static_cast<uint8_t>(Trait::count); ++i) {
            const auto trait = static_cast<Trait>(i);
            if (traits[trait] == (*known)[trait]) alike.back().insert(trait_name(trait));
        }
    }
    return alike;
}

Qualified qualified(Probed found, const Tally& tally) {
    return {.profile = {.version = {},
                        .build = {},
                        .traits = found.traits,
                        .undecided = std::move(found.undecided),
                        .fdb_usage = std::move(found.fdb_usage)},
            .proven = tally.proven(),
            .counts = tally.counts()};
}

// Some processes of each tool, side by side: on a busy machine one would wait for the processor at
// each tape. A tool that can't be run, or hangs, is nothing from then on.
class Players {
  public:
    Players(const std::string& ip, const std::string& bridge, const Corpus& corpus)
        : players_{started(ip, corpus), started(bridge, corpus)} {}

    bool has(size_t tool) const { return players_[tool].has_value(); }
    const std::string& error(size_t tool) const { return players_[tool].error(); }

    // A line may have processes of both tools. `played` is called by several threads.
    void play(const std::vector<uint32_t>& tapes, Answers& answers,
              const std::function<void()>& played) {
        Answers of_bridge(answers.size());
        std::vector<std::future<Played>> running[2];
        for (const size_t tool : {size_t{0}, size_t{1}})
            for (size_t i = 0; has(tool) && i < players_[tool]->size(); ++i)
                running[tool].push_back(std::async(thread_if_possible, [&, tool, i] {
                    std::vector<Player>& players = *players_[tool];
                    return players[i].play(part(tapes, i, players.size()),
                                           tool == 0 ? answers : of_bridge, played);
                }));
        for (const size_t tool : {size_t{0}, size_t{1}}) {
            Played all;
            for (std::future<Played>& each : running[tool])
                if (Played done = each.get(); !done) all = std::move(done);
            if (!all) players_[tool] = std::unexpected(std::move(all.error()));
        }
        for (const uint32_t tape : tapes)
            if (answers[tape].verdict == Verdict::not_run) answers[tape] = of_bridge[tape];
    }

  private:
    static constexpr size_t at_once = 4;
    // Where threads are limited, get() does the work.
    static constexpr auto thread_if_possible = std::launch::async | std::launch::deferred;
    using Played = std::expected<void, std::string>;
    using Started = std::expected<std::vector<Player>, std::string>;

    static std::vector<uint32_t> part(const std::vector<uint32_t>& tapes, size_t first,
                                      size_t parts) {
        std::vector<uint32_t> some;
        for (size_t i = first; i < tapes.size(); i += parts)
            some.push_back(tapes[i]);
        return some;
    }

    static Started started(const std::string& program, const Corpus& corpus) {
        std::vector<Player> players;
        for (size_t i = 0; i < at_once; ++i) {
            auto player = Player::start(program, corpus);
            if (!player && i > 0) break;  // processes are limited
            if (!player) return std::unexpected(std::move(player.error()));
            players.push_back(std::move(*player));
        }
        return players;
    }

    Started players_[2];
};

std::string no_recordings() {
    const std::string own = own_program();
    if (own.empty()) return "without /proc I don't find my files: call me by my whole path";
    return fmt::format("nlsh-replay.xz: there are no recordings for {}", own);
}

std::vector<uint32_t> tapes_of_probes(const Corpus& corpus) {
    std::vector<uint32_t> tapes;
    for (const RecordedLine& line : corpus.lines())
        if (!line.probe.empty()) tapes.insert(tapes.end(), line.tapes.begin(), line.tapes.end());
    return tapes;
}

}  // namespace

std::expected<Qualification, std::string> qualify(const std::string& ip, const std::string& bridge,
                                                  const std::function<void(double)>& done) {
    const std::string recordings = place_of("nlsh-replay.xz");
    if (recordings.empty()) return std::unexpected(no_recordings());
    auto corpus = Corpus::read(recordings);
    if (!corpus) return std::unexpected(corpus.error());
    Answers answers(corpus->tapes());
    Players players(ip, bridge, *corpus);
    players.play(tapes_of_probes(*corpus), answers, {});
    std::array probes = {probed(Tool::ip, ip, *corpus, answers),
                         probed(Tool::bridge, bridge, *corpus, answers)};
    complete(probes);
    for (const Tool tool : {Tool::ip, Tool::bridge})
        if (!corpus->add(made_lines(*corpus, tool, probes[static_cast<size_t>(tool)].traits)))
            return std::unexpected("no room for the lines that are made of recordings");
    answers.resize(corpus->tapes());
    const auto tally_of = [&](size_t tool) {
        return Tally(*corpus, static_cast<Tool>(tool), traits_alike(*corpus, probes[tool].traits));
    };
    Tally tallies[] = {tally_of(0), tally_of(1)};
    // The newest recording of each line first, and older ones of those that differ from it.
    std::mutex progress_lock;
    size_t count = 0, total = 0;
    const auto progress = [&] {
        const std::lock_guard lock(progress_lock);
        ++count;
        if (done && count % 64 == 0 && count < total)
            done(static_cast<double>(count) / static_cast<double>(total));
    };
    for (;;) {
        std::set<uint32_t> wanted;
        for (const size_t tool : {size_t{0}, size_t{1}})
            if (players.has(tool)) tallies[tool].advance(answers, wanted);
        if (wanted.empty()) break;
        total += wanted.size();
        players.play({wanted.begin(), wanted.end()}, answers, progress);
    }
    if (!players.has(0) && !players.has(1)) return std::unexpected(players.error(0));
    Qualification found;
    for (const size_t tool : {size_t{0}, size_t{1}})
        if (players.has(tool)) found.tools[tool] = qualified(probes[tool], tallies[tool]);
    return found;
}

}  // namespace nlsh
