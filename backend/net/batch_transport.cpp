#include "backend/net/batch_transport.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace nlsh {
namespace {

nlmsghdr header_of(const void* data) {
    nlmsghdr header;
    std::memcpy(&header, data, sizeof header);
    return header;
}

}  // namespace

int BatchTransport::send(const void* data, size_t size) {
    last_ = header_of(data);
    if (mode_ == Mode::direct) return kernel_->send(data, size);
    return mode_ == Mode::queue ? queue(data, size) : 0;
}

int BatchTransport::queue(const void* data, size_t size) {
    const bool change = (last_.nlmsg_flags & NLM_F_ACK) != 0;
    auto& [messages, ends, verdicts] = queue_;
    const size_t start = NLMSG_ALIGN(messages.size());
    full_ = full_ || ends.size() == most_changes || start + size > most_bytes;
    if (!change || full_) {
        behind_ = true;
        return 0;
    }
    messages.resize(start);
    messages.append(static_cast<const char*>(data), size);
    ends.push_back(messages.size());
    return 0;
}

int64_t BatchTransport::receive(void* buffer, size_t size) {
    if (mode_ == Mode::direct) return kernel_->receive(buffer, size);
    const auto kept = collected_.verdicts.find(replayed_);
    if (mode_ == Mode::queue || kept == collected_.verdicts.end())
        return write_verdict(buffer, last_, behind_ ? EAGAIN : 0);
    const size_t length = std::min(size, kept->second.size());
    std::memcpy(buffer, kept->second.data(), length);
    static_cast<nlmsghdr*>(buffer)->nlmsg_seq = last_.nlmsg_seq;
    return static_cast<int64_t>(length);
}

bool BatchTransport::refuse() {
    const bool refused = mode_ == Mode::queue && (queued() > 0 || posted() > 0);
    behind_ = behind_ || refused;
    return refused;
}

uint32_t BatchTransport::ifindex(std::string_view name) {
    const auto known = caching_ ? indexes_.find(std::string(name)) : indexes_.end();
    if (known != indexes_.end()) return known->second;
    if (refuse()) return 0;
    const uint32_t index = kernel_->ifindex(name);
    if (index != 0 && caching_) indexes_.emplace(name, index);
    return index;
}

std::string BatchTransport::ifname(uint32_t ifindex) {
    return refuse() ? std::string() : kernel_->ifname(ifindex);
}

int BatchTransport::control(unsigned long request, void* argument) {
    return refuse() ? EAGAIN : kernel_->control(request, argument);
}

void BatchTransport::replace(std::unique_ptr<Transport> kernel) {
    if (posted() > 0) return;
    sender_ = std::make_unique<ChangeSender>(*kernel);
    kernel_ = std::move(kernel);
}

void BatchTransport::forget_names() {
    caching_ = false;
    indexes_.clear();
}

void BatchTransport::start_queueing() {
    mode_ = Mode::queue;
    behind_ = full_ = false;
}

void BatchTransport::drop(size_t count) {
    auto& [messages, ends, verdicts] = queue_;
    ends.resize(std::min(count, ends.size()));
    messages.resize(ends.empty() ? 0 : ends.back());
}

void BatchTransport::replay(size_t place) {
    mode_ = Mode::replay;
    behind_ = false;
    replayed_ = place;
}

void BatchTransport::post() {
    if (!queue_.ends.empty()) sender_->send(std::exchange(queue_, {}));
}

}  // namespace nlsh
