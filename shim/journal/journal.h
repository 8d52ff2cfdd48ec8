// What a worker does for its caller, in memory that outlives the server: its heir (heir.h) reads
// there what was asked, sent and answered.
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

// Of one connection at a time. A kill comes between two instructions, and what was stored before it
// is there; so each thing is stored before it is done, and what the kernel tells is received here.
class alignas(4096) Journal {
  public:
    // Of a line's way through the kernel: look-ups, changes, and what the kernel answered to these.
    // Dumps and other questions are asked again.
    enum class Kind : uint32_t { index, name, change, answer };
    struct Record {
        Kind kind;
        uint32_t size;  // of the bytes behind it
        uint64_t key;   // of what was asked: a hash
    };
    static constexpr size_t records_max = size_t{64} << 10;

    // The worker serves a connection, until it is told another one, or -1.
    void serve(int connection);
    int connection() const { return connection_.load() - 1; }
    // Where a request is received. What is there has been read of the connection, and is owed a
    // reply, until another one is expected.
    std::span<char> frame() { return frame_; }
    void expect();
    bool owes() const;
    // The bytes of the request; nothing when it is broken.
    std::optional<std::span<char>> request();
    // The descriptors that came with it; -1: none, or they are being closed.
    void came_with(int first, int second);
    std::pair<int, int> streams() const { return {streams_[0] - 1, streams_[1] - 1}; }

    // A reply leaves, or has left (the client may act upon it).
    void replying(const nlsh_reply& reply);
    void replied() { expect(); }
    std::optional<nlsh_reply> reply() const;

    // Something was done that the records don't tell of.
    void lose_track() { lost_.store(true, std::memory_order_release); }
    bool tracked() const { return !lost_.load(); }

    // Whose netlink socket a change leaves over.
    enum class Owner : bool { server, caller };
    // A change leaves over that socket; where its answer is received: empty when there is no room.
    void sending(int socket, Owner owner, uint32_t sequence, uint64_t key);
    std::span<char> room();
    void add(Kind kind, uint64_t key, std::string_view bytes);
    void answered(size_t size) { append({Kind::answer, static_cast<uint32_t>(size), 0}); }

    int netlink() const { return netlink_; }
    Owner netlink_owner() const { return netlink_owner_; }
    uint32_t sequence() const { return sequence_; }
    // The record at an offset, and its bytes. Nothing: that is the end.
    struct Entry {
        Record record;
        std::string_view bytes;
        size_t next;
    };
    std::optional<Entry> at(size_t offset) const;
    void cut(size_t offset) { used_.store(static_cast<uint32_t>(offset)); }

  private:
    void append(const Record& record);

    // Zeroed memory is a journal in which nothing has happened.
    std::atomic<int> connection_;  // its number + 1, as of the others
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

// The memory of all of them: made before the heir, which has it, too. Pages that nobody has needed
// are none.
class Journals {
  public:
    // Throws std::bad_alloc.
    explicit Journals(unsigned count);
    ~Journals();
    Journals(const Journals&) = delete;
    Journals& operator=(const Journals&) = delete;

    // For a thread, while it lives. Throws std::bad_alloc when all are taken.
    Journal& take();
    void give_back(Journal& journal);
    // All that were ever taken.
    std::span<Journal> all() const;
    // The server ends as it should: nothing is to be finished for it.
    void close() { shared_->closed.store(true); }
    bool closed() const { return shared_->closed.load(); }

  private:
    struct alignas(4096) Shared {
        std::atomic<unsigned> taken;  // these, from the first on
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
