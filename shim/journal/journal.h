// A worker's record of its work, in memory that outlives the server. The heir (heir.h) reads there
// what was asked, sent and answered.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shim/wire/wire.h"

namespace nlsh {

// For one connection at a time. A kill may come between any two instructions, but stored data
// stays. So the worker stores each step before doing it, and receives the kernel's answers here.
class alignas(4096) Journal {
  public:
    // Steps of a line: look-ups, changes, and the kernel's answers. Dumps and other questions can
    // be repeated.
    enum class Kind : uint32_t { index, name, change, answer };
    struct Record {
        Kind kind;
        uint32_t size;  // of the bytes that follow
        uint64_t key;   // a hash of the question
    };
    static constexpr size_t records_max = size_t{64} << 10;

    // The worker serves this connection until the next call; -1: none.
    void serve(int connection);
    int connection() const { return connection_.load() - 1; }
    // Where to receive a request. From then on a reply is owed, until expect().
    std::span<char> frame() { return frame_; }
    void expect();
    bool owes() const;
    // The request's bytes; nullopt: it is broken.
    std::optional<std::span<char>> request();
    // Notes the descriptors that came with the request; -1: none, or about to be closed.
    void came_with(int first, int second);
    std::pair<int, int> streams() const { return {streams_[0] - 1, streams_[1] - 1}; }

    // Call these before sending a reply, and after (the client may act on it).
    void replying(const nlsh_reply& reply);
    void replied() { expect(); }
    std::optional<nlsh_reply> reply() const;

    // Notes that something was done that the records lack.
    void lose_track() { lost_.store(true, std::memory_order_release); }
    bool tracked() const { return !lost_.load(); }

    // The owner of the netlink socket that sends a change.
    enum class Owner : bool { server, caller };
    // Call it before sending a change over the socket. room(): where to receive the answer; empty:
    // the journal is full.
    void sending(int socket, Owner owner, uint32_t sequence, uint64_t key);
    std::span<char> room();
    void add(Kind kind, uint64_t key, std::string_view bytes);
    void answered(size_t size) { append({Kind::answer, static_cast<uint32_t>(size), 0}); }

    int netlink() const { return netlink_; }
    Owner netlink_owner() const { return netlink_owner_; }
    uint32_t sequence() const { return sequence_; }
    // The record at an offset, and its bytes. nullopt: the journal ends there.
    struct Entry {
        Record record;
        std::string_view bytes;
        size_t next;
    };
    std::optional<Entry> at(size_t offset) const;
    void cut(size_t offset) { used_.store(static_cast<uint32_t>(offset)); }

  private:
    void append(const Record& record);

    // Zeroed memory is an empty journal.
    std::atomic<int> connection_;  // the descriptor + 1, as in streams_
    std::atomic<bool> lost_;
    std::atomic<bool> replying_;
    std::atomic<uint32_t> used_;  // of records_
    std::atomic<int> streams_[2];
    int netlink_;
    Owner netlink_owner_;
    uint32_t sequence_;
    nlsh_reply reply_;
    alignas(Record) char records_[records_max];
    alignas(4096) char frame_[NLSH_REQUEST_MAX];
};

// The memory of all journals, made before the heir, which shares it. Unused pages take no memory.
class Journals {
  public:
    // Throws std::bad_alloc.
    explicit Journals(unsigned count);
    ~Journals();
    Journals(const Journals&) = delete;
    Journals& operator=(const Journals&) = delete;

    // A journal for a new thread. Throws std::bad_alloc if all are taken.
    Journal& take();
    void give_back(Journal& journal);
    // All journals that were ever taken.
    std::span<Journal> all() const;
    // Call it if the server ends normally, so that the heir finishes nothing.
    void close() { shared_->closed.store(true); }
    bool closed() const { return shared_->closed.load(); }

  private:
    struct alignas(4096) Shared {
        std::atomic<unsigned> taken;  // the first `taken` journals
        std::atomic<bool> closed;
    };
    size_t size() const { return sizeof(Shared) + count_ * sizeof(Journal); }

    const unsigned count_;
    Shared* shared_;
    Journal* journals_;
    std::mutex mutex_;
    std::vector<Journal*> free_;
};

}  // namespace nlsh
