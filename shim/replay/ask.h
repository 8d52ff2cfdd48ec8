// Runs an installed ip or bridge against the recordings.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "parser/ip/options.h"
#include "shim/replay/corpus.h"

namespace nlsh {

struct Replayed {
    enum class Verdict : uint8_t { not_run, same, different };
    Verdict verdict = Verdict::not_run;
    bool asked_the_same = false;  // as recorded
    std::string said = {};        // of a probe: stderr, then stdout
    int status = 0;               // as wait(2) has it
    size_t errors = 0;            // so much of `said` is stderr's
};

// One for each tape; those of the other tool aren't run. progress is told of each that is done.
// The error is a sentence: nothing is known of the build.
std::expected<std::vector<Replayed>, std::string> replay(const std::string& program,
                                                         const Corpus& corpus,
                                                         const std::function<void()>& progress);

}  // namespace nlsh
