// Finds the program that a command's first word would run: the real iproute2, a known utility, or
// something else.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parser/ip/options.h"
#include "shim/builds/programs.h"
#include "shim/builds/reference.h"

namespace nlsh {

// Looks words up along one PATH, as execvp does. Not thread-safe. Caches answers: make a new finder
// when they may be too old.
class ToolFinder {
  public:
    // Called with each file before it is read, and each directory before it is searched.
    struct Observers {
        Observe file;
        Observe directory;
    };
    // `path`: the caller's PATH; empty: the shell's default. references: may be shared with other
    // finders.
    explicit ToolFinder(std::string_view path, Observers observers = {},
                        std::shared_ptr<References> references = std::make_shared<References>());

    // Tool::ip or Tool::bridge if the word would run the installed iproute2 (reference.h).
    std::optional<Tool> tool(std::string_view word);
    // The traits of that build.
    Traits traits(Tool tool) const { return references_->traits(tool); }
    // The installed bridge's `bridge fdb help`; empty: unknown.
    std::string fdb_usage() const { return references_->fdb_usage(); }
    // The version of an unknown iproute2 that the word runs; otherwise empty.
    std::string other_version(std::string_view word);
    // Whether the word names the program of that base name that we imitate (programs.h), in one of
    // the system's directories.
    bool utility(std::string_view word, std::string_view base);
    // Whether the utility's messages begin with its base name (ProgramEnvironment). Look the word
    // up first.
    bool says_base_name(std::string_view word) const;
    // The file that the word runs; empty: none, or it depends on the working directory.
    std::string file(std::string_view word) const;

  private:
    struct File {
        dev_t device = 0;
        ino_t inode = 0;
        bool operator==(const File&) const = default;
    };
    static std::optional<File> regular_file(const std::string& path);
    std::optional<File> executable(const std::string& path) const;
    // Whether the file is the reference, a known build, or a shim of ours.
    bool stands_for(Tool tool, const File& file) const;
    // Whether the file would run with other rights than its caller.
    static bool lends_rights(const std::string& path);
    // The file that the word runs, and its path.
    std::optional<File> find(std::string_view word, std::string& path) const;

    Observers observers_;
    std::vector<std::string> directories_;
    std::shared_ptr<References> references_;
    std::unordered_map<std::string, std::optional<Tool>> tools_;
    std::unordered_map<std::string, std::string> other_versions_;
    std::unordered_map<std::string, Genuine> utilities_;
};

}  // namespace nlsh
