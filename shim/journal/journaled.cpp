#include "shim/journal/journaled.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

namespace nlsh {
namespace {

using Kind = Journal::Kind;

nlmsghdr header_of(const void* data) {
    nlmsghdr header;
    std::memcpy(&header, data, sizeof header);
    return header;
}

// The largest verdict on a change: the request and a text.
constexpr size_t verdict_max = Message::capacity + size_t{8} * 1024;

uint64_t key_of(std::string_view text) {
    return std::hash<std::string_view>()(text);
}

// A hash of a message without its sequence number.
uint64_t key_of(const void* data, size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    constexpr size_t number = offsetof(nlmsghdr, nlmsg_seq);
    const uint64_t beginning = key_of({bytes, number});
    return beginning * 31 + key_of({bytes + NLMSG_HDRLEN, size - NLMSG_HDRLEN});
}

class Journaled final : public Transport {
  public:
    // own: the socket, if it ends with this transport.
    Journaled(std::unique_ptr<Transport> transport, int socket, Journal* const& journal,
              Journal::Owner owner, Descriptor own = {})
        : own_(std::move(own)),
          transport_(std::move(transport)),
          socket_(socket),
          owner_(owner),
          journal_(journal) {}

    int send(const void* data, size_t size) override {
        const nlmsghdr header = header_of(data);
        changing_ = journal_ != nullptr && !asks(header);
        if (!changing_) return transport_->send(data, size);
        // Several messages, or a request whose answer may be more than a verdict.
        if (NLMSG_ALIGN(header.nlmsg_len) < size || (header.nlmsg_flags & NLM_F_ECHO) != 0)
            journal_->lose_track();
        journal_->sending(socket_, owner_, header.nlmsg_seq, key_of(data, size));
        const int error = transport_->send(data, size);
        if (error != 0) journal_->lose_track();
        return error;
    }

    int64_t receive(void* buffer, size_t size) override {
        if (!changing_) return transport_->receive(buffer, size);
        const auto room = journal_->room();
        if (room.size() < verdict_max) journal_->lose_track();
        if (!journal_->tracked()) return transport_->receive(buffer, size);
        const int64_t got = transport_->receive(room.data(), std::min(size, room.size()));
        if (got <= 0) {
            journal_->lose_track();
            return got;
        }
        journal_->answered(static_cast<size_t>(got));
        std::memcpy(buffer, room.data(), static_cast<size_t>(got));
        return got;
    }

    uint32_t ifindex(std::string_view name) override {
        const uint32_t index = transport_->ifindex(name);
        const std::string_view bytes(reinterpret_cast<const char*>(&index), sizeof index);
        if (journal_ != nullptr) journal_->add(Kind::index, key_of(name), bytes);
        return index;
    }

    std::string ifname(uint32_t index) override {
        std::string name = transport_->ifname(index);
        if (journal_ != nullptr) journal_->add(Kind::name, index, name);
        return name;
    }

    int control(unsigned long request, void* argument) override {
        if (journal_ != nullptr) journal_->lose_track();
        return transport_->control(request, argument);
    }

  private:
    const Descriptor own_;  // outlives the transport over it
    const std::unique_ptr<Transport> transport_;
    const int socket_;
    const Journal::Owner owner_;
    Journal* const& journal_;
    bool changing_ = false;
};

class Replaying final : public Transport {
  public:
    Replaying(const Journal& journal, std::unique_ptr<Transport> transport, size_t& offset)
        : journal_(journal), transport_(std::move(transport)), offset_(offset) {}

    int send(const void* data, size_t size) override {
        const nlmsghdr header = header_of(data);
        answering_ = false;
        if (!journal_.at(offset_)) return transport_->send(data, size);
        if (asks(header)) throw Diverged();
        expect(Kind::change, key_of(data, size));
        answering_ = true;
        sequence_ = header.nlmsg_seq;
        return 0;
    }

    int64_t receive(void* buffer, size_t size) override {
        if (!answering_) return transport_->receive(buffer, size);
        const std::string_view bytes = expect(Kind::answer, 0);
        if (bytes.size() < NLMSG_HDRLEN || bytes.size() > size) throw Diverged();
        std::memcpy(buffer, bytes.data(), bytes.size());
        auto* const answer = static_cast<nlmsghdr*>(buffer);
        if (NLMSG_ALIGN(answer->nlmsg_len) < bytes.size()) throw Diverged();  // several messages
        answer->nlmsg_seq = sequence_;
        return static_cast<int64_t>(bytes.size());
    }

    uint32_t ifindex(std::string_view name) override {
        if (!journal_.at(offset_)) return transport_->ifindex(name);
        const std::string_view bytes = expect(Kind::index, key_of(name));
        uint32_t index = 0;
        std::memcpy(&index, bytes.data(), std::min(bytes.size(), sizeof index));
        return index;
    }

    std::string ifname(uint32_t index) override {
        if (!journal_.at(offset_)) return transport_->ifname(index);
        return std::string(expect(Kind::name, index));
    }

    int control(unsigned long request, void* argument) override {
        if (journal_.at(offset_)) throw Diverged();
        return transport_->control(request, argument);
    }

  private:
    std::string_view expect(Kind kind, uint64_t key) {
        const auto entry = journal_.at(offset_);
        if (!entry || entry->record.kind != kind || entry->record.key != key) throw Diverged();
        offset_ = entry->next;
        return entry->bytes;
    }

    const Journal& journal_;
    const std::unique_ptr<Transport> transport_;
    size_t& offset_;
    bool answering_ = false;
    uint32_t sequence_ = 0;
};

}  // namespace

std::unique_ptr<Transport> journaled_over(std::unique_ptr<Transport> transport, int socket,
                                          Journal* const& journal, Journal::Owner owner) {
    return std::make_unique<Journaled>(std::move(transport), socket, journal, owner);
}

std::expected<std::unique_ptr<Transport>, int> journaled_transport(bool strict,
                                                                   Journal* const& journal) {
    const auto socket = Channel::socket();
    if (!socket) return std::unexpected(socket.error());
    Descriptor own(*socket);
    return std::make_unique<Journaled>(Channel::transport_over(*socket, strict), *socket, journal,
                                       Journal::Owner::server, std::move(own));
}

std::unique_ptr<Transport> replaying(const Journal& journal, std::unique_ptr<Transport> transport,
                                     size_t& offset) {
    return std::make_unique<Replaying>(journal, std::move(transport), offset);
}

}  // namespace nlsh
