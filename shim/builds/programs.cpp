#include "shim/builds/programs.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "backend/descriptor.h"
#include "parser/text.h"

namespace nlsh {
namespace {

// A program by the name of the call, the name of its file (with links followed), and a text of its
// authors in it.
struct Imitated {
    std::string_view name, file;
    std::string_view mark;
    bool script = false;
};

constexpr std::string_view bash_mark = "GNU bash, version ";
constexpr std::string_view dash_mark = "Maximum function recursion depth (%d) reached";
constexpr std::string_view coreutils = "GNU coreutils";

constexpr Imitated programs[] = {
    {"bash", "bash", bash_mark},
    {"dash", "dash", dash_mark},
    {"sh", "dash", dash_mark},  // as bash it has another dialect
    {"awk", "mawk", "MAWK_LONG_OPTIONS"},
    {"awk", "gawk", "GNU Awk"},
    {"grep", "grep", "GNU grep"},
    {"egrep", "egrep", "exec grep -E \"$@\"", true},
    {"fgrep", "fgrep", "exec grep -F \"$@\"", true},
    {"sed", "sed", "GNU sed"},
    {"sysctl", "sysctl", "procps-ng"},
    {"brctl", "brctl", "bridge-utils"},
    {"nsenter", "nsenter", "util-linux"},
    {"cat", "cat", coreutils},
    {"cut", "cut", coreutils},
    {"head", "head", coreutils},
    {"tail", "tail", coreutils},
    {"wc", "wc", coreutils},
    {"sort", "sort", coreutils},
    {"uniq", "uniq", coreutils},
    {"tr", "tr", coreutils},
    {"echo", "echo", coreutils},
    {"printf", "printf", coreutils},
    {"true", "true", coreutils},
    {"false", "false", coreutils},
    {"test", "test", coreutils},
    {"[", "[", coreutils},
};

// A range of a file's bytes.
struct Range {
    off_t offset;
    size_t size;
};

// How coreutils name themselves, by the version among their constants: "\0" "9.7-3\0". 9.1 lets the
// linker store it as the end of another text.
Genuine naming(std::string_view bytes) {
    for (size_t at = bytes.find('\0'); at != bytes.npos; at = bytes.find('\0', at + 1)) {
        const char* const end = bytes.data() + bytes.size();
        unsigned major = 0, minor = 0;
        const auto dot = std::from_chars(bytes.data() + at + 1, end, major);
        if (dot.ec != std::errc() || dot.ptr == end || *dot.ptr != '.') continue;
        const auto rest = std::from_chars(dot.ptr + 1, end, minor);
        if (rest.ec != std::errc() || rest.ptr == end || (*rest.ptr != 0 && *rest.ptr != '-'))
            continue;
        const auto version = std::pair(major, minor);
        if (version >= std::pair(9U, 7U)) return Genuine::short_name;
        return version <= std::pair(9U, 1U) ? Genuine::as_called : Genuine::unsure;
    }
    return Genuine::as_called;
}

Genuine look(int file, Range range, std::string_view mark) {
    const auto excess = static_cast<size_t>(range.offset % sysconf(_SC_PAGESIZE));
    const size_t size = range.size + excess;
    void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file,
                        range.offset - static_cast<off_t>(excess));
    if (mapped == MAP_FAILED) return Genuine::no;
    const std::string_view bytes(static_cast<const char*>(mapped), size);
    const bool found = memmem(mapped, size, mark.data(), mark.size()) != nullptr;
    const Genuine genuine = !found              ? Genuine::no
                            : mark == coreutils ? naming(bytes)
                                                : Genuine::as_called;
    munmap(mapped, size);
    return genuine;
}

// The constants of a program for this machine. Linkers put them into a segment of their own,
// strings first. Searching that costs a page; the whole file of bash takes 0.2 ms.
std::optional<Range> constants(std::string_view head) {
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;
    if (head.size() < sizeof header) return {};
    std::memcpy(&header, head.data(), sizeof header);
    for (size_t i = 0; i < header.e_phnum; ++i) {
        const size_t at = header.e_phoff + i * sizeof segment;
        if (at > head.size() || head.size() - at < sizeof segment) break;
        std::memcpy(&segment, head.data() + at, sizeof segment);
        if (segment.p_type == PT_LOAD && segment.p_flags == PF_R && segment.p_offset > 0)
            return Range{static_cast<off_t>(segment.p_offset), segment.p_filesz};
    }
    return {};
}

Genuine look(int file, const Imitated& program) {
    char bytes[1024];
    const ssize_t size = pread(file, bytes, sizeof bytes, 0);
    struct stat status;
    if (size <= 0 || fstat(file, &status) != 0) return Genuine::no;
    const std::string_view head(bytes, static_cast<size_t>(size));
    if (!head.starts_with(program.script ? "#!/bin/sh\n" : "\177ELF")) return Genuine::no;
    const auto whole = static_cast<size_t>(status.st_size);
    const auto likely = program.script ? std::nullopt : constants(head);
    const bool inside = likely && likely->size <= whole &&
                        static_cast<size_t>(likely->offset) <= whole - likely->size;
    const Genuine found = inside ? look(file, *likely, program.mark) : Genuine::no;
    return found != Genuine::no ? found : look(file, {0, whole}, program.mark);
}

std::string file_name(const std::string& path) {
    char real[PATH_MAX];
    if (realpath(path.c_str(), real) == nullptr) return {};
    return std::string(base_name(real));
}

// file: the name of `path` behind its links.
Genuine genuine_file(const std::string& path, std::string_view name, std::string_view file) {
    const auto* const program = std::ranges::find_if(
        programs, [&](const Imitated& each) { return each.name == name && each.file == file; });
    if (program == std::end(programs)) return Genuine::no;
    const Descriptor bytes(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!bytes || access(path.c_str(), X_OK) != 0) return Genuine::no;
    return look(bytes.get(), *program);
}

}  // namespace

Genuine genuine(const std::string& path, std::string_view name) {
    return genuine_file(path, name, file_name(path));
}

std::optional<Dialect> system_shell() {
    constexpr const char* shell = "/bin/sh";
    const std::string name = file_name(shell);
    if (name == "dash" && genuine_file(shell, "sh", name) != Genuine::no) return Dialect::dash;
    if (name == "bash" && genuine_file(shell, "bash", name) != Genuine::no) return Dialect::bash;
    return {};
}

}  // namespace nlsh
