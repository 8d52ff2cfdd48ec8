#include "shim/server/reply_streams.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "shim/files/descriptor_output.h"
#include "shim/peer/socket_check.h"
#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

// A worker shares its client's processor, which is fastest for one small answer. Above this size,
// worker and client run on different processors, with a pipe so large that neither waits.
constexpr size_t large = size_t{256} * 1024;
constexpr int large_pipe = 1 << 20;

void use_all_processors() {
    cpu_set_t all;
    std::memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
}

void use_processor(int number) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(number), &one);
    sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

std::optional<GivenStreams> ask_for_streams(int connection, bool by_socket) {
    const std::string frame =
        encode_reply({.type = NLSH_STREAM, .flags = flag_if(by_socket, NLSH_BY_SOCKET)});
    while (send(connection, frame.data(), frame.size(), MSG_NOSIGNAL) < 0) {
        if (errno != EINTR) return {};
    }
    Received came;
    const auto answer = receive_answer<nlsh_streams>(connection, came);
    if (!answer || !came[0] || !came[1]) return {};
    return GivenStreams{{std::move(came[0]), std::move(came[1])},
                        (answer->flags & NLSH_SIGPIPE_IGNORED) != 0};
}

void ReplyStreams::give(std::array<Descriptor, 2> descriptors, bool sigpipe_ignored) {
    auto& [out, err] = descriptors;
    if (!out || !err) return;
    out_ = std::move(out);
    err_ = std::move(err);
    sigpipe_ignored_ = sigpipe_ignored;
}

bool ReplyStreams::write(bool error, std::string_view bytes) {
    if (bytes.empty()) return true;
    if (!error && fits_reply(bytes.size())) {
        held_.append(bytes);
        return true;
    }
    if (!(error && error_fits(bytes.size())) && !ask_for_descriptors()) return false;
    return write_to(error ? error_ : output_, bytes);
}

// A popen's stderr that came with the request takes this at once: the client doesn't have to read.
bool ReplyStreams::error_fits(size_t bytes) const {
    return !err_ && shown_error_[1] && room_at(shown_error_[1], bytes) == Room::sure;
}

bool ReplyStreams::fits_reply(size_t bytes) const {
    return kind_ == NLSH_POPEN && !asked_ && held_.size() + bytes <= NLSH_OUTPUT_MAX;
}

bool ReplyStreams::write_to(Stream& stream, std::string_view bytes) {
    if (stream.failure_ != 0 && stream.failure_ != EAGAIN) return false;
    spread_out(bytes.size());
    if (journal_ != nullptr) journal_->lose_track();
    const Descriptor& error = err_ ? err_ : shown_error_[1];
    DescriptorOutput output((stream.error_ ? error : out_).get());
    const bool written = output.write(bytes);
    stream.reached_ = stream.reached_ || !output.untouched();
    stream.failure_ = output.take_failure().error;
    return written;
}

// Unknown until the caller's descriptors come. The server asks for them only when it must write.
// What comes from a user then may be no pipe, so a user's stderr must come with the request.
Room ReplyStreams::room(bool error, size_t bytes) {
    if (!error && fits_reply(bytes)) return Room::sure;
    const Descriptor& shown = err_ ? err_ : shown_error_[1];
    const Descriptor& target = error ? shown : out_;
    if (target) return room_at(target, bytes);
    miss(error);
    return error && anonymous_ ? Room::none : Room::unsure;
}

Room ReplyStreams::room_at(const Descriptor& target, size_t bytes) const {
    if (anonymous_ && !is_anonymous_sink(target.get())) return Room::none;
    return room_of(target.get(), bytes);
}

WriteFailure ReplyStreams::Stream::take_failure() {
    const int error = std::exchange(failure_, 0);
    return {.error = error, .killed = error == EPIPE && !owner_.sigpipe_ignored_};
}

void ReplyStreams::spread_out(size_t more) {
    streamed_ += more;
    if (streamed_ <= large || processor_ >= 0) return;
    processor_ = sched_getcpu();
    if (kind_ == NLSH_POPEN) fcntl(out_.get(), F_SETPIPE_SZ, large_pipe);
    use_all_processors();
}

bool ReplyStreams::ask_for_descriptors() {
    if (asked_ || out_) return static_cast<bool>(out_);
    asked_ = true;
    if (journal_ != nullptr) journal_->lose_track();
    auto given = ask_for_streams(connection_, by_socket_);
    if (!given) return false;
    for (const Descriptor& each : given->descriptors)
        if (anonymous_ && !is_anonymous_sink(each.get())) return false;
    give(std::move(given->descriptors), given->sigpipe_ignored);
    const std::string held = std::move(held_);
    held_.clear();
    return held.empty() || write_to(output_, held);
}

void ReplyStreams::close() {
    if (journal_ != nullptr) journal_->came_with(-1, -1);
    out_.reset();
    err_.reset();
    shown_error_ = {};
    if (processor_ >= 0) use_processor(std::exchange(processor_, -1));
}

}  // namespace nlsh
