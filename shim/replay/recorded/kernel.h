// Plays the kernel of one recorded process (tape.h) for nlsh's own engine. For tests.
#pragma once

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/net/channel.h"
#include "shim/replay/items.h"

extern "C" {
#include "shim/replay/inside/requests.h"
}

namespace nlsh {

class RecordedKernel final : public Transport {
  public:
    // What iproute2 was told; both must outlive this. `otherwise` becomes true if nlsh asks what
    // iproute2 didn't.
    RecordedKernel(std::string_view tape, bool& otherwise) : otherwise_(otherwise) {
        each_item(tape, [this](const item& each) { take(each.kind, content(each)); });
    }

    int send(const void* data, size_t size) override {
        nlmsghdr header;
        std::memcpy(&header, data, sizeof header);
        sequence_ = header.nlmsg_seq;
        said_.clear();
        const std::string_view request(static_cast<const char*>(data), size);
        auto found = find(request, is_equal);
        if (found == exchanges_.end()) found = find(request, is_same);
        if (found == exchanges_.end()) found = find(request, is_same_but_for_mask);
        if (found == exchanges_.end()) return say_link(request) ? 0 : asks_otherwise();
        next_ = found + 1;
        said_.assign(found->answers.begin(), found->answers.end());
        return 0;
    }

    int64_t receive(void* buffer, size_t size) override {
        if (said_.empty()) return -asks_otherwise();  // iproute2 didn't wait for it
        Answer answer = std::move(said_.front());
        said_.pop_front();
        if (answer.error != 0) return -answer.error;
        if (answer.datagram.size() > size) return -EMSGSIZE;
        set_sequence(answer.datagram);
        std::memcpy(buffer, answer.datagram.data(), answer.datagram.size());
        return static_cast<int64_t>(answer.datagram.size());
    }

    // nlsh asks for fewer links than iproute2, and by another call. A device that no answer has
    // named may be there.
    uint32_t ifindex(std::string_view name) override {
        const auto found = indexes_.find(name);
        if (found != indexes_.end()) return found->second;
        asks_otherwise();
        return 0;
    }
    std::string ifname(uint32_t ifindex) override {
        const auto found = names_.find(ifindex);
        if (found != names_.end()) return found->second;
        asks_otherwise();
        return {};
    }
    int control(unsigned long, void*) override { return asks_otherwise(); }

  private:
    struct Answer {
        int error = 0;
        std::string datagram;
    };
    struct Exchange {
        char slot = 0;
        std::string request;
        std::vector<Answer> answers;
    };

    int asks_otherwise() {
        otherwise_ = true;
        return EIO;
    }

    // The next exchange that is so, or else an earlier one.
    template <typename Compare>
    std::vector<Exchange>::iterator find(std::string_view request, const Compare& compare) {
        const auto fits = [&](const Exchange& each) { return compare(each.request, request); };
        const auto found = std::find_if(next_, exchanges_.end(), fits);
        return found != exchanges_.end() ? found : std::ranges::find_if(exchanges_, fits);
    }

    static bool is_equal(std::string_view one, std::string_view other) {
        constexpr size_t flags_end = offsetof(nlmsghdr, nlmsg_seq), head = sizeof(nlmsghdr);
        return one.size() == other.size() &&
               one.substr(0, flags_end) == other.substr(0, flags_end) &&
               one.substr(head) == other.substr(head);
    }
    static bool is_same(std::string_view one, std::string_view other) {
        const auto* const bytes = reinterpret_cast<const unsigned char*>(one.data());
        const auto* const others = reinterpret_cast<const unsigned char*>(other.data());
        return wants_names_only(one) == wants_names_only(other) &&
               same_request(bytes, one.size(), others, other.size()) != 0;
    }

    // The answer has more than what was asked for.
    static bool is_same_but_for_mask(std::string_view one, std::string_view other) {
        return is_same(without_mask(one), without_mask(other));
    }
    static std::string without_mask(std::string_view request) {
        std::string text(request);
        const rtattr* const mask = link_attribute(text, IFLA_EXT_MASK);
        if (mask != nullptr && !wants_names_only(request))
            std::fill_n(static_cast<char*>(RTA_DATA(const_cast<rtattr*>(mask))), sizeof(uint32_t),
                        '\0');
        return text;
    }

    // Of a request for a link since 7.2: the answer has little more than the name.
    static bool wants_names_only(std::string_view request) {
        constexpr uint32_t names_only = 0x100;  // RTEXT_FILTER_NAME_ONLY
        const rtattr* const mask = link_attribute(request, IFLA_EXT_MASK);
        uint32_t value = 0;
        if (mask != nullptr) std::memcpy(&value, RTA_DATA(mask), sizeof value);
        return (value & names_only) != 0;
    }

    // iproute2 sends unused bytes of its buffer, too.
    static std::string_view used(std::string_view request) {
        nlmsghdr header;
        if (request.size() < sizeof header) return request;
        std::memcpy(&header, request.data(), sizeof header);
        const std::string_view rest =
            request.substr(std::min<size_t>(header.nlmsg_len, request.size()));
        return rest.find_first_not_of('\0') == rest.npos ? request.substr(0, header.nlmsg_len)
                                                         : request;
    }

    // One link, where iproute2 asked for all.
    bool say_link(std::string_view request) {
        nlmsghdr header;
        ifinfomsg link;
        if (request.size() < NLMSG_SPACE(sizeof link)) return false;
        std::memcpy(&header, request.data(), sizeof header);
        std::memcpy(&link, request.data() + NLMSG_HDRLEN, sizeof link);
        if (header.nlmsg_type != RTM_GETLINK || (header.nlmsg_flags & NLM_F_DUMP) != 0)
            return false;
        const std::string_view name = name_in(request);
        const auto found = name.empty() ? links_.find(static_cast<uint32_t>(link.ifi_index))
                                        : links_.find(index_of(name));
        if (found == links_.end()) return false;
        said_.push_back({0, found->second});
        return true;
    }
    uint32_t index_of(std::string_view name) const {
        const auto found = indexes_.find(name);
        return found == indexes_.end() ? 0 : found->second;
    }

    // An attribute of a message about a link; null: it has none.
    static const rtattr* link_attribute(std::string_view message, unsigned short type) {
        constexpr size_t head = NLMSG_SPACE(sizeof(ifinfomsg));
        nlmsghdr header;
        if (message.size() < head) return nullptr;
        std::memcpy(&header, message.data(), sizeof header);
        if (header.nlmsg_type != RTM_GETLINK && header.nlmsg_type != RTM_NEWLINK) return nullptr;
        const auto* at = reinterpret_cast<const rtattr*>(message.data() + head);
        for (int left = static_cast<int>(message.size() - head); RTA_OK(at, left);
             at = RTA_NEXT(at, left))
            if (at->rta_type == type) return at;
        return nullptr;
    }
    static std::string_view name_in(std::string_view message) {
        const rtattr* const name = link_attribute(message, IFLA_IFNAME);
        return name == nullptr ? std::string_view() : static_cast<const char*>(RTA_DATA(name));
    }

    void take(char kind, std::string_view content) {
        constexpr size_t slot = 1, number = sizeof(uint32_t);
        uint32_t index = 0;
        if (kind == 'S')
            exchanges_.push_back({content[0], std::string(used(content.substr(slot))), {}});
        if (kind == 'R') {
            const auto asked =
                std::find_if(exchanges_.rbegin(), exchanges_.rend(),
                             [&](const Exchange& each) { return each.slot == content[0]; });
            if (asked != exchanges_.rend()) take_answer(*asked, content.substr(slot));
        }
        if (kind == 'N' || kind == 'X') {
            std::memcpy(&index, content.data(), sizeof index);
            take_name(index, content.substr(number));
        }
        next_ = exchanges_.begin();
    }

    void take_answer(Exchange& asked, std::string_view answer) {
        int error = 0;
        std::memcpy(&error, answer.data(), sizeof error);
        asked.answers.push_back({error, std::string(answer.substr(sizeof error))});
        take_links(asked);
    }

    void take_name(uint32_t index, std::string_view name) {
        indexes_.emplace(name, index);
        names_.emplace(index, name);
    }

    void take_links(const Exchange& asked) {
        const std::string_view datagram = asked.answers.back().datagram;
        const bool whole = !wants_names_only(asked.request);
        for (size_t at = 0; at + NLMSG_HDRLEN <= datagram.size();) {
            nlmsghdr header;
            std::memcpy(&header, datagram.data() + at, sizeof header);
            const size_t size =
                std::clamp<size_t>(header.nlmsg_len, NLMSG_HDRLEN, datagram.size() - at);
            if (header.nlmsg_type == RTM_NEWLINK) take_link(datagram.substr(at, size), whole);
            at += NLMSG_ALIGN(size);
        }
    }
    void take_link(std::string_view message, bool whole) {
        ifinfomsg link;
        const std::string_view name = name_in(message);
        if (name.empty()) return;
        std::memcpy(&link, message.data() + NLMSG_HDRLEN, sizeof link);
        const auto index = static_cast<uint32_t>(link.ifi_index);
        take_name(index, name);
        std::string alone(message);
        const uint16_t flags = 0;
        std::memcpy(&alone[offsetof(nlmsghdr, nlmsg_flags)], &flags, sizeof flags);
        if (whole) links_.emplace(index, std::move(alone));
    }

    void set_sequence(std::string& datagram) const {
        for (size_t at = 0; at + NLMSG_HDRLEN <= datagram.size();) {
            nlmsghdr header;
            std::memcpy(&header, datagram.data() + at, sizeof header);
            header.nlmsg_seq = sequence_;
            std::memcpy(&datagram[at], &header, sizeof header);
            at += std::max<size_t>(NLMSG_ALIGN(header.nlmsg_len), NLMSG_HDRLEN);
        }
    }

    bool& otherwise_;
    std::vector<Exchange> exchanges_;
    std::vector<Exchange>::iterator next_;
    std::deque<Answer> said_;
    std::map<std::string, uint32_t, std::less<>> indexes_;
    std::map<uint32_t, std::string> names_;
    std::map<uint32_t, std::string> links_;  // messages
    uint32_t sequence_ = 0;
};

}  // namespace nlsh
