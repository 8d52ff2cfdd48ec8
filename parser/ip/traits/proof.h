// Proof of what an unknown build of iproute2 does exactly as nlsh does.
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
    // Why a parsed command falls back nevertheless; empty: it doesn't.
    virtual std::string objection(std::span<const std::string> words,
                                  const Command& command) const = 0;
    // Whether a show may print this field, in text or JSON; `key` is its key in JSON, `scope` comes
    // from scope_of().
    virtual bool prints(const std::string& scope, std::string_view key) const = 0;
    // Whether all that could be printed is proven: after a change nothing can fall back.
    virtual bool proves_all() const { return false; }
    // Whether `ip netns exec` enters a namespace as nlsh does, for a shell that runs there.
    virtual bool enters_namespaces() const { return true; }
    // The text of the file that holds the proof; empty: no file.
    virtual std::string_view file() const { return {}; }
    // Called when a trait has decided something.
    virtual void asked(Trait) const {}
};

// The command and its way of printing: "ip link show|-d -j". Each way needs its own proof.
std::string scope_of(const Options& options, std::string_view summary);

// A message with its names replaced: `Error: argument "*" is wrong: …`.
std::string form_of(std::string_view message);

}  // namespace nlsh
