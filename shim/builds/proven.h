// What a qualification has found of a build: which rows it has as nlsh has them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/traits/proof.h"

namespace nlsh {

// A row in a mode, as a number: of "ip link show|-d ~mtu" (a word), "… =mtu" (a field that is
// shown), "… ." (the command itself), "… !Error: argument *" (what is refused with that),
// "… !Error: argument * ~mtu" (a word of what is).
uint64_t unit_of(std::string_view text);

// Of a row of a word or of an error, the same in all modes: words are read, and refused, before
// anything is printed. Empty: it is no such row.
std::string in_all_modes(std::string_view unit);

struct Row {
    std::string unit;
    std::string name;  // for a user
};
// What a command that has been read uses of a build. known: the words of iproute2 that nlsh knows,
// sorted.
std::vector<Row> rows_of(std::span<const std::string> words, const Command& command,
                         const std::vector<std::string>& known);
// Of a refused command, the rows of its words up to the last one that the message quotes, and that
// the words after it aren't read. Empty: there are none after it, or no such word.
std::vector<Row> rows_of_beginning(std::span<const std::string> words, const Command& command,
                                   const std::vector<std::string>& known);

class Proven final : public Proof {
  public:
    // words: all of iproute2 that nlsh knows.
    // left: the commands, as scope_of() has them, of which a line contradicts something.
    Proven(std::vector<uint64_t> units, std::vector<std::string> words,
           std::vector<std::string> left);
    // Of text(); nothing: it isn't whole, or something else.
    static std::optional<Proven> parse(std::string_view text, std::string file = {});
    // The same without a command, as scope_of() has it, whose output here has differed from the
    // real program's. It falls back from then on.
    Proven without(std::string scope) const;
    // Whether it differs from the other at most by such commands.
    bool has_rows_of(const Proven& other) const;
    std::string text() const;

    std::string objection(std::span<const std::string> words,
                          const Command& command) const override;
    bool prints(const std::string& scope, std::string_view key) const override;
    bool enters_namespaces() const override { return has("ip | ~-netns"); }
    std::string_view file() const override { return file_; }
    const std::vector<std::string>& left() const { return left_; }
    const std::vector<std::string>& differing() const { return differing_; }
    size_t size() const { return units_.size(); }

  private:
    bool has(std::string_view text) const;
    bool has_in_some_mode(const std::string& unit) const;
    // The name of a row that isn't proven.
    std::string missing(const std::vector<Row>& rows) const;

    std::vector<uint64_t> units_;     // sorted
    std::vector<std::string> words_;  // sorted
    std::vector<std::string> left_;
    std::vector<std::string> differing_;
    std::string file_;
};

}  // namespace nlsh
