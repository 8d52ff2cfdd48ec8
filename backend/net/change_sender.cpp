#include "backend/net/change_sender.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "backend/net/channel.h"

namespace nlsh {
namespace {

constexpr size_t verdict_size = size_t{40} * 1024;  // the refused request, plus a text

bool plain_success(const char* datagram) {
    nlmsghdr header;
    std::memcpy(&header, datagram, sizeof header);
    nlmsgerr error;
    std::memcpy(&error, datagram + NLMSG_HDRLEN, sizeof error);
    return header.nlmsg_type == NLMSG_ERROR && error.error == 0 &&
           (header.nlmsg_flags & NLM_F_ACK_TLVS) == 0;
}

void exchange(Transport& kernel, char* buffer, ChangeWindow& window) {
    const int error = kernel.send(window.messages.data(), window.messages.size());
    for (size_t place = 0; place < window.ends.size(); ++place) {
        int64_t got = error != 0 ? -error : kernel.receive(buffer, verdict_size);
        // If a change couldn't be sent or its verdict is lost, its line fails.
        if (got < static_cast<int64_t>(NLMSG_LENGTH(sizeof(nlmsgerr))))
            got = write_verdict(buffer, nlmsghdr{}, got < 0 ? static_cast<int>(-got) : EPROTO);
        if (!plain_success(buffer))
            window.verdicts.emplace(place, std::string(buffer, static_cast<size_t>(got)));
    }
}

}  // namespace

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

ChangeSender::~ChangeSender() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool ChangeSender::has_thread() {
    if (thread_.joinable()) return true;
    alone_ = alone_ || std::thread::hardware_concurrency() < 2;
    if (alone_) return false;
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        alone_ = true;
    }
    return !alone_;
}

void ChangeSender::send(ChangeWindow window) {
    ++on_the_way_;
    if (!has_thread()) {
        const auto buffer = std::make_unique_for_overwrite<char[]>(verdict_size);
        exchange(kernel_, buffer.get(), window);
        answered_.push_back(std::move(window));
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(window));
    }
    changed_.notify_all();
}

ChangeWindow ChangeSender::collect() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !answered_.empty(); });
    ChangeWindow window = std::move(answered_.front());
    answered_.pop_front();
    --on_the_way_;
    return window;
}

void ChangeSender::run() {
    const auto buffer = std::make_unique_for_overwrite<char[]>(verdict_size);
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
        if (stop_) return;
        ChangeWindow window = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        exchange(kernel_, buffer.get(), window);
        lock.lock();
        answered_.push_back(std::move(window));
        lock.unlock();
        changed_.notify_all();
    }
}

}  // namespace nlsh
