// The proof of what an unknown build of iproute2 does as nlsh does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nlsh {

struct Command;
struct Options;
enum class Trait : uint8_t;

// Thread-safe. Lives as long as the process.
class Proof {
  public:
    virtual ~Proof() = default;
    // Why a command that has been read is left to the real one all the same; empty: it isn't.
    virtual std::string objection(std::span<const std::string> words,
                                  const Command& command) const = 0;
    // Whether a show may print this field, in text or JSON; `key` is its key in JSON, `scope` comes
    // from scope_of().
    virtual bool prints(const std::string& scope, std::string_view key) const = 0;
    // The file that it was read from, whole; empty: from none.
    virtual std::string_view file() const { return {}; }
    // A trait has decided something.
    virtual void asked(Trait) const {}
};

// The command, and how it prints: "ip link show|-d -j". A row is proven for each way of
// printing separately.
std::string scope_of(const Options& options, std::string_view summary);

// A message without what it names: `Error: argument "*" is wrong: …`.
std::string form_of(std::string_view message);

}  // namespace nlsh
