#include "shim/lines/carried.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "shim/lines/line_scan.h"

namespace nlsh {
namespace {

using Event = ScannedLine::Event;
using Kind = Event::Kind;

// Builtins that change the shell which runs them.
constexpr std::array<std::string_view, 20> keepers{
    ".",      "alias",   "cd",   "chdir",  "eval",     "exec",   "exit",
    "export", "getopts", "popd", "pushd",  "readonly", "return", "set",
    "shift",  "source",  "trap", "ulimit", "umask",    "unset"};
// These read what an earlier line would have left running.
constexpr std::array<std::string_view, 4> waiters{"bg", "fg", "jobs", "wait"};

// Which commands see, or the shell itself goes by.
bool in_environment(const std::string& name) {
    constexpr std::array<std::string_view, 6> own{"CDPATH", "ENV", "HOME", "IFS", "LANG", "PATH"};
    return getenv(name.c_str()) != nullptr || std::ranges::find(own, name) != own.end() ||
           name.starts_with("LC_");
}

// What one line does, in the order in which it does it.
class Reading {
  public:
    Reading(size_t number, bool first, const std::map<std::string, size_t, std::less<>>& earlier,
            size_t background)
        : number_(number), first_(first), earlier_(earlier), background_(background) {}

    std::optional<Carried::Fault> read(const ScannedLine& line) {
        for (const Event& event : line.events) {
            if (auto fault = read(event)) return fault;
        }
        return {};
    }
    const std::set<std::string>& sets() const { return sets_; }
    const std::string& keeps() const { return keeps_; }
    bool leaves_running() const { return runs_on_; }

  private:
    std::optional<Carried::Fault> read(const Event& event);
    std::optional<Carried::Fault> refer(const std::string& name);
    void command(const Event& event);
    void keep(const std::string& what) {
        if (keeps_.empty()) keeps_ = what;
    }
    void assign(const Event& event) {
        sets_.insert(event.text);
        if (event.always) known_.insert(event.text);
        if (in_environment(event.text)) keep(event.text + "=");
    }

    const size_t number_;
    const bool first_;
    const std::map<std::string, size_t, std::less<>>& earlier_;
    const size_t background_;
    std::set<std::string> sets_;
    std::set<std::string> known_;  // set in any case before what comes now
    std::string keeps_;
    std::string command_;
    unsigned seen_ = 0;  // commands; $? of the second one is the first one's status
    bool runs_on_ = false;
};

std::optional<Carried::Fault> Reading::refer(const std::string& name) {
    if (name == "!" && background_ > 0 && !runs_on_)
        return Carried::Fault{number_, "$! is of an earlier line's process"};
    if (name == "?" && seen_ < 2 && !first_)
        return Carried::Fault{number_, "$? is an earlier line's status"};
    const auto set = earlier_.find(name);
    if (set == earlier_.end() || known_.contains(name)) return {};
    return Carried::Fault{number_, fmt::format("${} is set by line {}", name, set->second)};
}

void Reading::command(const Event& event) {
    command_ = event.text;
    ++seen_;
    // `command cd` is cd: the next word tells.
    if (event.text == "command") command_.clear();
    if (std::ranges::find(keepers, event.text) != keepers.end()) keep(event.text);
}

std::optional<Carried::Fault> Reading::read(const Event& event) {
    switch (event.kind) {
        case Kind::command:
            command(event);
            if (std::ranges::find(waiters, event.text) != waiters.end() && background_ > 0 &&
                !runs_on_)
                return Carried::Fault{number_, event.text + " is for an earlier line's process"};
            return {};
        case Kind::argument:
            if (command_.empty()) command(event);
            if (command_ == "read" && !event.text.starts_with('-')) assign(event);
            return {};
        case Kind::assignment:
            assign(event);
            return {};
        case Kind::reference:
            return refer(event.text);
        case Kind::function:
            keep(event.text + "()");
            return {};
        case Kind::background:
            runs_on_ = true;
            return {};
    }
    return {};
}

}  // namespace

std::optional<Carried::Fault> Carried::next(size_t number, std::string_view text) {
    if (pending_) return pending_;
    const ScannedLine line = scan_line(text);
    if (!line.unfinished.empty()) return Fault{number, "unfinished: " + line.unfinished};
    Reading reading(number, std::exchange(first_, false), set_, background_);
    if (auto fault = reading.read(line)) return fault;
    for (const std::string& name : reading.sets())
        set_[name] = number;
    if (reading.leaves_running()) background_ = number;
    if (!reading.keeps().empty())
        pending_ =
            Fault{number, fmt::format("'{}' would act on the lines after it", reading.keeps())};
    return {};
}

}  // namespace nlsh
