// Which rows a build of iproute2 has as nlsh has them, counted line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "parser/ip/options.h"
#include "shim/builds/proven.h"
#include "shim/replay/ask.h"
#include "shim/replay/corpus.h"
#include "shim/replay/qualify.h"

namespace nlsh {

using TraitNames = std::unordered_set<std::string_view>;

// nlsh does the same for this build as for those recorded builds whose traits are alike. It is
// right about a line if the build does what one of these does: the newest is run first, and an
// older one only if it is needed.
class Tally {
  public:
    // alike: by the corpus's builds. The corpus must outlive it.
    Tally(const Corpus& corpus, Tool tool, std::vector<TraitNames> alike);

    // Judges lines by what has been run, and adds the tapes that the others need.
    void advance(const std::vector<Replayed>& answers, std::set<uint32_t>& wanted);

    // When nothing is wanted any more.
    Qualified::Counts counts() const;
    Proven proven() const;

  private:
    using Verdict = Replayed::Verdict;
    struct Seen {
        bool same = false, different = false;
    };
    // A line's recordings that tell something of this build.
    struct Line {
        std::vector<const RecordedLine*> left;  // the newest comes last
        const RecordedLine* different = nullptr;
        Verdict verdict = Verdict::not_run;  // of that
        bool asked = false;                  // the last of them
        bool ours = false;                   // some build uses rows of this tool for it
    };

    bool is_comparable(const RecordedLine& line) const;
    void settle(const RecordedLine& judged, Verdict verdict);
    std::unordered_map<std::string, Seen> in_any_mode() const;

    const Corpus& corpus_;
    std::string_view prefix_;
    std::vector<TraitNames> alike_;
    std::vector<Line> lines_;
    std::unordered_map<std::string_view, Seen> units_;
    Qualified::Counts counts_;
};

}  // namespace nlsh
