#include "shim/builds/build_identity.h"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

constexpr size_t piece = 4096;

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Note = ElfW(Nhdr);

std::string read_at(int file, off_t place, size_t size) {
    std::string bytes(size, '\0');
    const ssize_t got = pread(file, bytes.data(), bytes.size(), place);
    bytes.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

// The segments of an executable, from its first bytes; none: it isn't one, or its table doesn't fit
// there.
std::vector<Segment> segments_of(std::string_view start) {
    Header header;
    if (start.size() < sizeof header) return {};
    std::memcpy(&header, start.data(), sizeof header);
    const bool ours = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                      header.e_ident[EI_CLASS] == (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32);
    const size_t size = header.e_phnum * sizeof(Segment);
    if (!ours || header.e_phentsize != sizeof(Segment)) return {};
    if (header.e_phoff > start.size() || size > start.size() - header.e_phoff) return {};
    std::vector<Segment> segments(header.e_phnum);
    std::memcpy(segments.data(), start.data() + header.e_phoff, size);
    return segments;
}

size_t padded(size_t size) {
    return (size + 3) / 4 * 4;
}

std::string hexadecimal(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        text += {digits[byte / digits.size()], digits[byte % digits.size()]};
    }
    return text;
}

// Reads a segment of notes.
std::string build_id_in(std::string_view notes) {
    Note note;
    while (notes.size() >= sizeof note) {
        std::memcpy(&note, notes.data(), sizeof note);
        notes.remove_prefix(sizeof note);
        const size_t name = padded(note.n_namesz), size = name + padded(note.n_descsz);
        if (size > notes.size()) break;
        if (note.n_type == NT_GNU_BUILD_ID && notes.starts_with(std::string_view("GNU\0", 4))) {
            return hexadecimal(notes.substr(name, note.n_descsz));
        }
        notes.remove_prefix(size);
    }
    return {};
}

std::string build_id_of(std::string_view start, std::span<const Segment> segments) {
    for (const Segment& segment : segments) {
        if (segment.p_type != PT_NOTE || segment.p_offset > start.size()) continue;
        std::string id = build_id_in(start.substr(segment.p_offset, segment.p_filesz));
        if (!id.empty()) return id;
    }
    return {};
}

}  // namespace

std::optional<BuildIdentity> identify(const std::string& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status;
    if (!file || fstat(file.get(), &status) != 0) return {};
    const std::string start = read_at(file.get(), 0, piece);
    const std::vector<Segment> segments = segments_of(start);
    if (segments.empty()) return {};
    return BuildIdentity{.build_id = build_id_of(start, segments),
                         .size = status.st_size,
                         .modified = status.st_mtim};
}

}  // namespace nlsh
