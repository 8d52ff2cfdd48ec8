// A batch's transport: remembers ifindexes, and can send many changes at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backend/net/change_sender.h"
#include "backend/net/channel.h"

namespace nlsh {

// While it queues, it answers a change with success and keeps it. post() sends all kept changes by
// one system call, without waiting for the verdicts. collect() waits for them; replay() then gives
// a verdict to the same change, made once more. A request that can't wait (a dump, or a name that
// an unanswered change may have made) is refused, and behind() tells.
class BatchTransport final : public Transport {
  public:
    explicit BatchTransport(std::unique_ptr<Transport> kernel)
        : kernel_(std::move(kernel)), sender_(std::make_unique<ChangeSender>(*kernel_)) {}

    int send(const void* data, size_t size) override;
    int64_t receive(void* buffer, size_t size) override;
    uint32_t ifindex(std::string_view name) override;
    std::string ifname(uint32_t ifindex) override;
    int control(unsigned long request, void* argument) override;

    // Switches to another socket, unless the kernel still owes verdicts on this one.
    void replace(std::unique_ptr<Transport> kernel);
    // Asks the kernel again for every name.
    void forget_names();

    void start_queueing();
    // Whether the kernel has refused a request since start_queueing().
    bool behind() const { return behind_; }
    void stop_queueing() { mode_ = Mode::direct; }
    size_t queued() const { return queue_.ends.size(); }
    bool full() const { return full_; }
    // Drops the queue's changes behind the first `count`.
    void drop(size_t count);
    void post();
    size_t posted() const { return sender_->on_the_way(); }
    // Waits for the verdicts on the oldest posted queue, and keeps them until the next collect().
    // While a queue is posted, only queueing, post() and collect() are allowed.
    void collect() { collected_ = sender_->collect(); }
    // Whether the change at this place of the queue failed or had a warning.
    bool notable(size_t place) const { return collected_.verdicts.contains(place); }
    // The next change gets the verdict on the change at this place.
    void replay(size_t place);

  private:
    static constexpr size_t most_changes = 64;  // whose verdicts fit into a socket's buffer
    static constexpr size_t most_bytes = size_t{32} * 1024;
    enum class Mode : uint8_t { direct, queue, replay };

    int queue(const void* data, size_t size);
    bool refuse();

    std::unique_ptr<Transport> kernel_;
    Mode mode_ = Mode::direct;
    bool behind_ = false;
    bool full_ = false;  // the reason for behind_: the queue is full
    bool caching_ = true;
    nlmsghdr last_{};  // of the last message sent
    ChangeWindow queue_;
    ChangeWindow collected_;
    size_t replayed_ = 0;
    std::unordered_map<std::string, uint32_t> indexes_;
    std::unique_ptr<ChangeSender> sender_;
};

// A channel's view of a transport that outlives it.
class BorrowedTransport final : public Transport {
  public:
    explicit BorrowedTransport(Transport& lender) : lender_(lender) {}
    int send(const void* data, size_t size) override { return lender_.send(data, size); }
    int64_t receive(void* buffer, size_t size) override { return lender_.receive(buffer, size); }
    uint32_t ifindex(std::string_view name) override { return lender_.ifindex(name); }
    std::string ifname(uint32_t ifindex) override { return lender_.ifname(ifindex); }
    int control(unsigned long request, void* argument) override {
        return lender_.control(request, argument);
    }

  private:
    Transport& lender_;
};

}  // namespace nlsh
