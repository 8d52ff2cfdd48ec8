#include "shim/journal/journal.h"

#include <linux/netlink.h>
#include <sys/mman.h>

#include <cstring>
#include <new>

namespace nlsh {
namespace {

// Records begin at offsets where a netlink message may begin.
constexpr size_t aligned(size_t size) {
    constexpr size_t unit = alignof(Journal::Record);
    return (size + unit - 1) / unit * unit;
}

}  // namespace

void Journal::serve(int connection) {
    expect();  // first, so that no reply is owed to the connection
    connection_.store(connection + 1, std::memory_order_release);
}

// Clears the first byte, because a request begins with its magic number, which isn't 0.
void Journal::expect() {
    std::atomic_ref(frame_[0]).store(0, std::memory_order_release);
    replying_.store(false, std::memory_order_release);
    lost_.store(false, std::memory_order_release);
    used_.store(0, std::memory_order_release);
    streams_[0].store(0, std::memory_order_release);
    streams_[1].store(0, std::memory_order_release);
}

bool Journal::owes() const {
    return connection_.load() != 0 && frame_[0] != 0;
}

std::optional<std::span<char>> Journal::request() {
    nlsh_request header;
    std::memcpy(&header, frame_, sizeof header);
    const size_t size = sizeof header + size_t{header.command_size} + header.environment_size;
    if (size > sizeof frame_) return {};
    return std::span(frame_).first(size);
}

void Journal::came_with(int first, int second) {
    streams_[0].store(first + 1, std::memory_order_release);
    streams_[1].store(second + 1, std::memory_order_release);
}

void Journal::replying(const nlsh_reply& reply) {
    reply_ = reply;
    replying_.store(true, std::memory_order_release);
}

std::optional<nlsh_reply> Journal::reply() const {
    if (!replying_.load()) return {};
    return reply_;
}

// Clears the answer's header, so that the heir sees whether the answer has come.
void Journal::sending(int socket, Owner owner, uint32_t sequence, uint64_t key) {
    netlink_ = socket;
    netlink_owner_ = owner;
    sequence_ = sequence;
    const size_t answer = used_.load(std::memory_order_relaxed) + 2 * sizeof(Record);
    if (answer + NLMSG_HDRLEN <= records_max) std::memset(records_ + answer, 0, NLMSG_HDRLEN);
    append({Kind::change, 0, key});
}

std::span<char> Journal::room() {
    const size_t start = used_.load(std::memory_order_relaxed) + sizeof(Record);
    return start < records_max ? std::span(records_).subspan(start) : std::span<char>();
}

void Journal::add(Kind kind, uint64_t key, std::string_view bytes) {
    const auto place = room();
    if (place.size() < bytes.size()) return lose_track();
    std::memcpy(place.data(), bytes.data(), bytes.size());
    append({kind, static_cast<uint32_t>(bytes.size()), key});
}

// The record's bytes are already in place.
void Journal::append(const Record& record) {
    const size_t start = used_.load(std::memory_order_relaxed);
    const size_t end = start + sizeof record + aligned(record.size);
    if (end > records_max) return lose_track();
    std::memcpy(records_ + start, &record, sizeof record);
    used_.store(static_cast<uint32_t>(end), std::memory_order_release);
}

std::optional<Journal::Entry> Journal::at(size_t offset) const {
    if (offset >= used_.load()) return {};
    Entry entry{};
    std::memcpy(&entry.record, records_ + offset, sizeof entry.record);
    entry.bytes = {records_ + offset + sizeof entry.record, entry.record.size};
    entry.next = offset + sizeof entry.record + aligned(entry.record.size);
    return entry;
}

Journals::Journals(unsigned count) : count_(count) {
    void* const memory = mmap(nullptr, size(), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared_ = static_cast<Shared*>(memory);
    journals_ = reinterpret_cast<Journal*>(shared_ + 1);
    free_.reserve(count);
}

Journals::~Journals() {
    munmap(shared_, size());
}

Journal& Journals::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        if (shared_->taken == count_) throw std::bad_alloc();
        return journals_[shared_->taken++];
    }
    Journal* const journal = free_.back();
    free_.pop_back();
    return *journal;
}

// Zeroes the pages and frees the journal.
void Journals::give_back(Journal& journal) {
    journal.serve(-1);
    madvise(&journal, sizeof journal, MADV_REMOVE);
    const std::lock_guard lock(mutex_);
    free_.push_back(&journal);
}

std::span<Journal> Journals::all() const {
    return {journals_, shared_->taken.load()};
}

}  // namespace nlsh
