// What a command needs to run: sockets, names, streams. One for each program that runs.
#pragma once

#include <fmt/format.h>

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "backend/net/channel.h"
#include "backend/output.h"
#include "parser/decline.h"
#include "parser/ip/options.h"
#include "parser/ip/traits/trait_names.h"
#include "parser/names.h"

namespace nlsh {

// The netlink sockets of one network namespace. Opened on first use; kept by the server.
class Session {
  public:
    // Whether long dumps may use extra threads: only in nlsh's own processes.
    enum class Threads : bool { none, some };
    // Opens a channel, or replaces a broken one (Channel::open).
    using Open = std::function<std::expected<Channel, int>(bool strict)>;
    // Moves the calling thread into the namespace, unless it is there already; false: it can't.
    using Enter = std::function<bool()>;
    explicit Session(
        Threads threads = Threads::none, Open open = Channel::open,
        Enter enter = [] { return true; })
        : threads_(threads), open_(std::move(open)), enter_(std::move(enter)) {}

    // Call before a question to the thread's own namespace instead of the sockets'.
    bool enter() const { return enter_(); }
    // The thread that calls rtnl() or loose() first decides the sockets' namespace.
    std::expected<Channel*, int> rtnl();   // strict checking on: single commands
    std::expected<Channel*, int> loose();  // strict checking off: `ip -batch`
    // Replaces the strict socket by a test's fake kernel.
    void set_rtnl(Channel channel) { rtnl_ = std::make_unique<Channel>(std::move(channel)); }

  private:
    std::expected<Channel*, int> opened(std::unique_ptr<Channel>& channel, bool strict) const;

    Threads threads_;
    Open open_;
    Enter enter_;
    std::unique_ptr<Channel> rtnl_;
    std::unique_ptr<Channel> loose_;
};

// Why a request failed, for logs. The caller sees only stderr.
struct Refusal {
    int error = 0;            // errno
    std::string extack = {};  // the kernel's text; empty: it sent none
};

// Colour settings in the environment.
struct ColorWishes {
    bool dark = false;   // $COLORFGBG: the background is
    bool light = false;  // $COLORFGBG: the background is something else
    bool none = false;   // $NO_COLOR is set to something
    bool operator==(const ColorWishes&) const = default;
};

struct Context {
    Session& session;
    const NameTables& names;
    Output* out = nullptr;
    Output* err = nullptr;
    ColorWishes colors = {};
    // A change was sent, or output has left: the line can't fall back any more.
    bool committed = false;
    // Set by a show that can't print something exactly, before `committed`: the evaluator drops the
    // held output, and the whole line falls back. A committed show prints as well as it can.
    std::optional<Decline> fallback = {};
    // The running command's last failed request.
    Refusal refusal = {};

    // Forbids streaming: a show that grows beyond the held output (shell/streams.h) falls back, and
    // so does a line that holds more than this before its first change.
    std::optional<size_t> bounded = {};

    // Call before sending a change. Shows never call it.
    void commit() { committed = true; }
    // For a show: whether the imitated build has the trait. If unknown, the line falls back.
    bool has(const Options& options, Trait trait) {
        const Traits::Answer answer = options.traits[trait];
        if (answer == Traits::Answer::unknown) fall_back(unknown_trait(options.traits, trait));
        return answer == Traits::Answer::yes;
    }
    // For a show that nlsh can print only with the trait. False: the line falls back.
    bool needs(const Options& options, Trait trait) {
        if (has(options, trait)) return true;
        fall_back(fmt::format("lacks the trait {}", trait_name(trait)));
        return false;
    }
    // For a show: true if the line will fall back (stop, return anything).
    bool fall_back(std::string reason) {
        if (committed) return false;
        if (!fallback) fallback = Decline{std::move(reason)};
        return true;
    }
};

// The channel for a command's requests, or the exit status if there is no socket.
std::expected<std::reference_wrapper<Channel>, int> open_channel(Context& context,
                                                                 const Options& options);

}  // namespace nlsh
