#include "shim/replay/corpus.h"

#include <fmt/format.h>
#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>

#include "backend/read_file.h"
#include "parser/text.h"
#include "shim/files/descriptor_output.h"
#include "shim/replay/items.h"

namespace nlsh {
namespace {

constexpr size_t packed_max = size_t{8} << 20;
constexpr size_t unpacked_max = size_t{512} << 20;
constexpr uint64_t memory_max = uint64_t{128} << 20;

// The size of what is written; 0: it isn't whole, or there is no room.
size_t unpack(std::string_view packed, int file) {
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, memory_max, 0) != LZMA_OK) return 0;
    static std::array<uint8_t, size_t{256} * 1024> piece;
    stream.next_in = reinterpret_cast<const uint8_t*>(packed.data());
    stream.avail_in = packed.size();
    lzma_ret done = LZMA_OK;
    bool written = true;
    while (done == LZMA_OK && written && stream.total_out < unpacked_max) {
        stream.next_out = piece.data();
        stream.avail_out = piece.size();
        done = lzma_code(&stream, LZMA_FINISH);
        const size_t size = piece.size() - stream.avail_out;
        written = DescriptorOutput(file).write({reinterpret_cast<const char*>(piece.data()), size});
    }
    const auto size = static_cast<size_t>(stream.total_out);
    lzma_end(&stream);
    return done == LZMA_STREAM_END && written ? size : 0;
}

RecordedLine line_of(const item& whole) {
    RecordedLine line;
    each_item(content(whole), [&line](const item& part) {
        if (part.kind == 'w') line.label = content(part);
        if (part.kind == 'B' && part.size == 1) line.build = part.bytes[0];
        if (part.kind == 'u') line.units = split(content(part), '\n');
        if (part.kind == 'T') line.traits = split(content(part), '\n');
        if (part.kind == 'p') line.probe = content(part);
    });
    return line;
}

}  // namespace

void append_item(std::string& text, char kind, std::string_view content) {
    const auto size = static_cast<uint32_t>(content.size());
    text += kind;
    text.append(reinterpret_cast<const char*>(&size), sizeof size).append(content);
}

Corpus::Corpus(Corpus&& other) noexcept
    : file_(std::move(other.file_)),
      bytes_(std::exchange(other.bytes_, {})),
      builds_(std::move(other.builds_)),
      words_(std::move(other.words_)),
      lines_(std::move(other.lines_)),
      tapes_(std::move(other.tapes_)),
      made_(std::move(other.made_)) {}

Corpus::~Corpus() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

bool Corpus::index() {
    bool begun = true;
    const size_t end = each_item(bytes_, [&](const item& each) {
        if (each.kind == 'b') builds_.push_back(content(each));
        if (each.kind == 'k') words_ = split(content(each), '\n');
        if (each.kind == 'l') lines_.push_back(line_of(each));
        if (each.kind != 'r') return;
        begun = begun && !lines_.empty();
        if (begun) lines_.back().tapes.push_back(tapes_.size());
        tapes_.push_back(content(each));
    });
    for (const RecordedLine& line : lines_)
        if (line.build >= builds_.size()) return false;
    return begun && end == bytes_.size() && !lines_.empty();
}

bool Corpus::add(std::vector<MadeLine> made) {
    std::string text;
    for (MadeLine& each : made) {
        const MadeLine& kept = made_.emplace_back(std::move(each));
        append_item(text, 'r', kept.tape);
        lines_.push_back({.label = kept.label,
                          .build = kept.build,
                          .units = {kept.units.begin(), kept.units.end()},
                          .traits = kept.traits,
                          .probe = {},
                          .tapes = {tapes_.size()}});
        tapes_.emplace_back(kept.tape);
    }
    return DescriptorOutput(file_.get()).write(text);
}

std::expected<Corpus, std::string> Corpus::read(const std::string& path) {
    const std::string packed = read_file(path, packed_max);
    if (packed.empty()) return std::unexpected(fmt::format("{}: there are no recordings", path));
    Corpus corpus;
    corpus.file_ = Descriptor(memfd_create("recordings", MFD_CLOEXEC));
    const size_t size = corpus.file_ ? unpack(packed, corpus.file_.get()) : 0;
    if (size == 0) return std::unexpected(fmt::format("{}: it can't be unpacked", path));
    void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, corpus.file_.get(), 0);
    if (mapped == MAP_FAILED) return std::unexpected("no memory for the recordings");
    corpus.bytes_ = {static_cast<const char*>(mapped), size};
    if (!corpus.index()) return std::unexpected(fmt::format("{}: it isn't whole", path));
    return corpus;
}

}  // namespace nlsh
