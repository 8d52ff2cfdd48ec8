// A scripted kernel for unit tests and fuzzing.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "backend/net/channel.h"

namespace nlsh {

// The transport's sent messages and scripted answers, shared with the test. Each receive gets the
// next datagram; without one it returns EAGAIN.
struct KernelScript {
    struct Said {
        int error = 0;  // an errno in place of bytes
        std::string datagram = {};
        bool true_sequence = true;  // give every message the last request's number
    };
    std::deque<Said> said;
    std::deque<int> send_errors;    // in order, then 0
    std::vector<std::string> sent;  // whole messages

    void say(const Message& message) { say(std::string(raw(message), message.size())); }
    void say(std::string datagram) { said.push_back({.datagram = std::move(datagram)}); }
    void fail(int error) { said.push_back({.error = error}); }
    static const char* raw(const Message& message) {
        return reinterpret_cast<const char*>(message.header());
    }
};

class ScriptedTransport final : public Transport {
  public:
    explicit ScriptedTransport(KernelScript& script) : script_(script) {}

    int send(const void* data, size_t size) override {
        int error = 0;
        if (!script_.send_errors.empty()) {
            error = script_.send_errors.front();
            script_.send_errors.pop_front();
        }
        if (error == 0) script_.sent.emplace_back(static_cast<const char*>(data), size);
        return error;
    }

    int64_t receive(void* buffer, size_t size) override {
        if (script_.said.empty()) return -EAGAIN;
        KernelScript::Said said = std::move(script_.said.front());
        script_.said.pop_front();
        if (said.error != 0) return -said.error;
        if (said.true_sequence) set_sequence(said.datagram);
        if (said.datagram.size() > size) return -EMSGSIZE;
        std::memcpy(buffer, said.datagram.data(), said.datagram.size());
        return static_cast<int64_t>(said.datagram.size());
    }

    // Devices 1 to 9: d1 … d9.
    uint32_t ifindex(std::string_view name) override {
        const bool known = name.size() == 2 && name[0] == 'd' && name[1] >= '1' && name[1] <= '9';
        return known ? static_cast<uint32_t>(name[1] - '0') : 0;
    }
    std::string ifname(uint32_t ifindex) override {
        return ifindex >= 1 && ifindex <= 9 ? "d" + std::to_string(ifindex) : std::string();
    }

    int control(unsigned long, void*) override { return ENOTTY; }

  private:
    void set_sequence(std::string& datagram) const {
        nlmsghdr request{};
        if (!script_.sent.empty()) {
            std::memcpy(&request, script_.sent.back().data(), sizeof request);
        }
        for (size_t at = 0; at + NLMSG_HDRLEN <= datagram.size();) {
            nlmsghdr header;
            std::memcpy(&header, datagram.data() + at, sizeof header);
            header.nlmsg_seq = request.nlmsg_seq;
            std::memcpy(datagram.data() + at, &header, sizeof header);
            at += std::max<size_t>(NLMSG_ALIGN(header.nlmsg_len), NLMSG_HDRLEN);
        }
    }

    KernelScript& script_;
};

}  // namespace nlsh
