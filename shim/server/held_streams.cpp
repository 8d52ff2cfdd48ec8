#include "shim/server/held_streams.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "backend/shell/streams.h"
#include "shim/files/descriptor_output.h"
#include "shim/peer/socket_check.h"
#include "shim/wire/wire.h"

namespace nlsh {
namespace {

constexpr size_t page = 4096;

// An empty pipe has all its pages free; the free pages of other pipes are unknown.
bool fits_pipe(int pipe, size_t bytes, size_t writes) {
    int held = 0;
    const int capacity = fcntl(pipe, F_GETPIPE_SZ);
    return capacity > 0 && ioctl(pipe, FIONREAD, &held) == 0 && held == 0 &&
           bytes + writes * page <= static_cast<size_t>(capacity);
}

bool takes(int descriptor, size_t bytes, size_t writes) {
    struct stat file;
    if (fstat(descriptor, &file) != 0) return false;
    if (S_ISFIFO(file.st_mode) && bytes > PIPE_BUF)
        return room_of(descriptor, 1) == Room::sure && fits_pipe(descriptor, bytes, writes);
    // The user may have stopped a terminal's output (Ctrl-S).
    if (S_ISCHR(file.st_mode) && bytes > page &&
        DescriptorOutput(descriptor).is_terminal() != false)
        return false;
    return room_of(descriptor, bytes) == Room::sure;
}

}  // namespace

void HeldStreams::hold(bool error, std::string_view bytes) {
    if (bytes.empty()) return;
    if (pieces_.empty() || pieces_.back().error != error) pieces_.push_back({error, {}});
    pieces_.back().bytes.append(bytes);
}

size_t HeldStreams::size(bool error) const {
    size_t size = 0;
    for (const Piece& piece : pieces_)
        if (piece.error == error) size += piece.bytes.size();
    return size;
}

std::optional<HeldStreams::Text> HeldStreams::text() const {
    if (pieces_.empty()) return Text{};
    const Piece& only = pieces_.front();
    if (pieces_.size() > 1 || only.bytes.size() > NLSH_OUTPUT_MAX) return {};
    return Text{only.bytes, only.error};
}

std::optional<size_t> HeldStreams::expect(const LateOutput& late) {
    // The caller has checked that its streams take this much.
    constexpr size_t taken = NLSH_OUTPUT_MAX;
    if (!late.shows && late.texts <= taken) return taken - late.texts;
    if (!ask()) return {};
    const size_t texts = taken + late.texts;
    const size_t sizes[] = {late.shows ? Hold::limit : texts, texts};
    for (const bool error : {false, true})
        if (!takes(given_->descriptors[error].get(), sizes[error], 1 + sizes[error] / page))
            return {};
    return taken;
}

bool HeldStreams::ask() {
    if (given_) return true;
    if (Journal* const journal = connection_.journal()) journal->lose_track();
    given_ = ask_for_streams(connection_.get());
    return given_.has_value();
}

bool HeldStreams::fit() const {
    const auto& descriptors = given_->descriptors;
    if (is_strangers(connection_) && !are_anonymous(descriptors[0], descriptors[1])) return false;
    struct stat out, err;
    if (fstat(descriptors[0].get(), &out) != 0 || fstat(descriptors[1].get(), &err) != 0)
        return false;
    const bool same = out.st_dev == err.st_dev && out.st_ino == err.st_ino;
    const size_t sizes[] = {size(false), size(true)};
    for (const bool error : {false, true}) {
        const size_t bytes = same ? sizes[0] + sizes[1] : sizes[error];
        if (sizes[error] > 0 && !takes(descriptors[error].get(), bytes, pieces_.size()))
            return false;
    }
    return true;
}

void HeldStreams::write() const {
    for (const Piece& piece : pieces_)
        DescriptorOutput(given_->descriptors[piece.error].get()).write(piece.bytes);
}

}  // namespace nlsh
