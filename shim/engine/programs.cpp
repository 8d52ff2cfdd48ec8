#include "shim/engine/programs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

// A program by the name that it is called by and the name of its file, links followed; a text of
// its authors in it; and where Debian 12's build for amd64 has that: one read instead of the whole
// file. In another build something else stands there, and the file is searched.
struct Imitated {
    std::string_view name, file;
    std::string_view mark;
    off_t usual_place;
    bool script = false;
};

constexpr std::string_view bash_mark = "@(#)Bash version ";
constexpr std::string_view dash_mark = "Maximum function recursion depth (%d) reached";
constexpr std::string_view coreutils = "GNU coreutils";

constexpr Imitated programs[] = {
    {"bash", "bash", bash_mark, 0xf5068},
    {"dash", "dash", dash_mark, 0x17440},
    {"sh", "dash", dash_mark, 0x17440},  // as bash it has another dialect
    {"awk", "mawk", "MAWK_LONG_OPTIONS", 0x1fded},
    {"awk", "gawk", "GNU Awk", 0},
    {"grep", "grep", "GNU grep", 0x281cd},
    {"egrep", "egrep", "exec grep -E \"$@\"", 0, true},
    {"fgrep", "fgrep", "exec grep -F \"$@\"", 0, true},
    {"sed", "sed", "GNU sed", 0x18853},
    {"sysctl", "sysctl", "procps-ng", 0x51ae},
    {"brctl", "brctl", "bridge-utils", 0},
    {"cat", "cat", coreutils, 0x708a},
    {"cut", "cut", coreutils, 0x8095},
    {"head", "head", coreutils, 0x8128},
    {"tail", "tail", coreutils, 0xe0b4},
    {"wc", "wc", coreutils, 0x90d6},
    {"sort", "sort", coreutils, 0x16ca9},
    {"uniq", "uniq", coreutils, 0x808c},
    {"tr", "tr", coreutils, 0x9107},
    {"echo", "echo", coreutils, 0x7263},
    {"printf", "printf", coreutils, 0xc873},
    {"true", "true", coreutils, 0x6084},
    {"false", "false", coreutils, 0x6085},
    {"test", "test", coreutils, 0xb198},
    {"[", "[", coreutils, 0xc136},
};

bool has_at(int file, off_t place, std::string_view text) {
    char bytes[64];
    return text.size() <= sizeof bytes &&
           pread(file, bytes, text.size(), place) == static_cast<ssize_t>(text.size()) &&
           std::string_view(bytes, text.size()) == text;
}

bool has_anywhere(int file, std::string_view text) {
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size <= 0) return false;
    const auto size = static_cast<size_t>(status.st_size);
    void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) return false;
    const bool found = memmem(bytes, size, text.data(), text.size()) != nullptr;
    munmap(bytes, size);
    return found;
}

std::string file_name(const std::string& path) {
    char real[PATH_MAX];
    if (realpath(path.c_str(), real) == nullptr) return {};
    const std::string_view whole(real);
    return std::string(whole.substr(whole.rfind('/') + 1));
}

}  // namespace

bool is_genuine(const std::string& path, std::string_view name) {
    const std::string file = file_name(path);
    const auto* const program = std::ranges::find_if(
        programs, [&](const Imitated& each) { return each.name == name && each.file == file; });
    if (program == std::end(programs)) return false;
    const Descriptor bytes(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!bytes || access(path.c_str(), X_OK) != 0) return false;
    return has_at(bytes.get(), 0, program->script ? "#!/bin/sh\n" : "\177ELF") &&
           (has_at(bytes.get(), program->usual_place, program->mark) ||
            has_anywhere(bytes.get(), program->mark));
}

std::optional<Dialect> system_shell() {
    constexpr const char* shell = "/bin/sh";
    const std::string name = file_name(shell);
    if (name == "dash" && is_genuine(shell, "sh")) return Dialect::dash;
    if (name == "bash" && is_genuine(shell, "bash")) return Dialect::bash;
    return {};
}

}  // namespace nlsh
