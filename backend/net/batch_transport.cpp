#include "backend/net/batch_transport.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace nlsh {
namespace {

constexpr size_t verdict_size = size_t{40} * 1024;  // the refused request, and a text

int64_t write_verdict(void* buffer, const nlmsghdr& request, int error) {
    struct {
        nlmsghdr header;
        nlmsgerr error;
    } verdict{};
    verdict.header.nlmsg_len = sizeof verdict;
    verdict.header.nlmsg_type = NLMSG_ERROR;
    verdict.header.nlmsg_flags = NLM_F_CAPPED;
    verdict.header.nlmsg_seq = request.nlmsg_seq;
    verdict.error = {.error = -error, .msg = request};
    std::memcpy(buffer, &verdict, sizeof verdict);
    return sizeof verdict;
}

nlmsghdr header_of(const void* data) {
    nlmsghdr header;
    std::memcpy(&header, data, sizeof header);
    return header;
}

bool plain_success(const char* datagram) {
    const nlmsghdr header = header_of(datagram);
    nlmsgerr error;
    std::memcpy(&error, datagram + NLMSG_HDRLEN, sizeof error);
    return header.nlmsg_type == NLMSG_ERROR && error.error == 0 &&
           (header.nlmsg_flags & NLM_F_ACK_TLVS) == 0;
}

}  // namespace

int BatchTransport::send(const void* data, size_t size) {
    last_ = header_of(data);
    if (mode_ == Mode::direct) return kernel_->send(data, size);
    return mode_ == Mode::queue ? queue(data, size) : 0;
}

int BatchTransport::queue(const void* data, size_t size) {
    const bool change = (last_.nlmsg_flags & NLM_F_ACK) != 0;
    const size_t start = NLMSG_ALIGN(waiting_.size());
    if (!change || ends_.size() == most_changes || start + size > most_bytes) {
        behind_ = true;
        return 0;
    }
    waiting_.resize(start);
    waiting_.append(static_cast<const char*>(data), size);
    ends_.push_back(waiting_.size());
    return 0;
}

int64_t BatchTransport::receive(void* buffer, size_t size) {
    if (mode_ == Mode::direct) return kernel_->receive(buffer, size);
    const auto kept = verdicts_.find(replayed_);
    if (mode_ == Mode::queue || kept == verdicts_.end())
        return write_verdict(buffer, last_, behind_ ? EAGAIN : 0);
    const size_t length = std::min(size, kept->second.size());
    std::memcpy(buffer, kept->second.data(), length);
    static_cast<nlmsghdr*>(buffer)->nlmsg_seq = last_.nlmsg_seq;
    return static_cast<int64_t>(length);
}

bool BatchTransport::refuse() {
    const bool refused = mode_ == Mode::queue && !ends_.empty();
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

void BatchTransport::forget_names() {
    caching_ = false;
    indexes_.clear();
}

void BatchTransport::start_queueing() {
    mode_ = Mode::queue;
    behind_ = false;
}

void BatchTransport::drop(size_t count) {
    ends_.resize(std::min(count, ends_.size()));
    waiting_.resize(ends_.empty() ? 0 : ends_.back());
}

void BatchTransport::replay(size_t place) {
    mode_ = Mode::replay;
    behind_ = false;
    replayed_ = place;
}

void BatchTransport::flush() {
    const std::vector<size_t> ends = std::exchange(ends_, {});
    const std::string messages = std::exchange(waiting_, {});
    verdicts_.clear();
    if (ends.empty()) return;
    const int error = kernel_->send(messages.data(), messages.size());
    const auto buffer = std::make_unique_for_overwrite<char[]>(verdict_size);
    for (size_t place = 0; place < ends.size(); ++place) {
        int64_t got = error != 0 ? -error : kernel_->receive(buffer.get(), verdict_size);
        // What couldn't be sent, or is lost, is a failure of that line.
        if (got < static_cast<int64_t>(NLMSG_LENGTH(sizeof(nlmsgerr))))
            got =
                write_verdict(buffer.get(), nlmsghdr{}, got < 0 ? static_cast<int>(-got) : EPROTO);
        if (!plain_success(buffer.get()))
            verdicts_.emplace(place, std::string(buffer.get(), static_cast<size_t>(got)));
    }
}

}  // namespace nlsh
