// Runs an installed ip or bridge against the recordings.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parser/ip/options.h"
#include "shim/replay/corpus.h"

namespace nlsh {

struct Replayed {
    // Entered: it differs in how it enters a namespace, before it asks anything there.
    enum class Verdict : uint8_t { not_run, same, entered, different };
    Verdict verdict = Verdict::not_run;
    bool asked_the_same = false;  // as recorded
    std::string said = {};        // of a probe: stderr, then stdout
    int status = 0;               // as wait(2) has it
    size_t errors = 0;            // so much of `said` is stderr's
};

// A program that was started once, and is run against one tape after another.
class Player {
  public:
    // The corpus must outlive it. After an error, which is a sentence for the user, nothing is
    // known of the build.
    static std::expected<Player, std::string> start(std::string program, const Corpus& corpus);
    Player(Player&&) noexcept;
    Player& operator=(Player&&) = delete;
    ~Player();

    // Puts the results into `found`, which is large enough, by the numbers of tapes, and changes no
    // other items; the other tool's tapes aren't run. Calls `played` after each tape. The error is
    // a sentence, as above.
    std::expected<void, std::string> play(const std::vector<uint32_t>& tapes,
                                          std::vector<Replayed>& found,
                                          const std::function<void()>& played);

  private:
    struct Connection;
    Player(std::string program, std::unique_ptr<Connection> connection);

    std::string program_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace nlsh
