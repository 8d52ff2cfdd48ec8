#include "shim/engine/build_identity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 1> known_versions{"6.1.0"};
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

// The segments of an executable whose first bytes are given; none: it is something else, or its
// table doesn't fit there.
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

// Of a segment of notes.
std::string build_id_in(std::string_view notes) {
    Note note;
    while (notes.size() >= sizeof note) {
        std::memcpy(&note, notes.data(), sizeof note);
        notes.remove_prefix(sizeof note);
        const size_t name = padded(note.n_namesz), size = name + padded(note.n_descsz);
        if (size > notes.size()) break;
        if (note.n_type == NT_GNU_BUILD_ID && notes.starts_with(std::string_view("GNU", 4))) {
            std::string id;
            for (const char byte : notes.substr(name, note.n_descsz))
                id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
            return id;
        }
        notes.remove_prefix(size);
    }
    return {};
}

// A constant of its own: NUL on both sides.
std::string version_in(std::string_view constants) {
    for (const std::string_view version : known_versions) {
        std::string constant(1, '\0');
        constant.append(version).push_back('\0');
        if (constants.contains(constant)) return std::string(version);
    }
    return {};
}

// Piece by piece, each with the end of the one before.
std::string version_in(int file, const Segment& segment) {
    std::string bytes;
    for (size_t done = 0; done < segment.p_filesz; done += piece) {
        constexpr size_t overlap = 16;  // more than a version and its NULs
        bytes.erase(0, bytes.size() - std::min(bytes.size(), overlap));
        bytes += read_at(file, static_cast<off_t>(segment.p_offset + done),
                         std::min<size_t>(piece, segment.p_filesz - done));
        if (std::string version = version_in(bytes); !version.empty()) return version;
    }
    return {};
}

// Constants are in a segment of their own, or beside the code.
std::string version_of(int file, std::span<const Segment> segments) {
    for (const bool code : {false, true}) {
        for (const Segment& segment : segments) {
            if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
            if (((segment.p_flags & PF_X) != 0) != code || segment.p_offset == 0) continue;
            if (std::string version = version_in(file, segment); !version.empty()) return version;
        }
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
                         .version = version_of(file.get(), segments),
                         .size = status.st_size,
                         .modified = status.st_mtim};
}

}  // namespace nlsh
