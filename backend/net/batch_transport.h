// A batch's way to the kernel: remembers ifindexes, and can send many changes at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backend/net/change_sender.h"
#include "backend/net/channel.h"

namespace nlsh {

// While it queues, a change is answered with success and waits; post() sends all that wait by one
// system call and doesn't wait for what comes of it. collect() does, and the kernel's verdicts can
// then be given to the same changes, made once more (replay). What can't wait (a dump, a name that
// a change may have made whose verdict isn't there yet) is refused, and behind() tells.
class BatchTransport final : public Transport {
  public:
    explicit BatchTransport(std::unique_ptr<Transport> kernel)
        : kernel_(std::move(kernel)), sender_(std::make_unique<ChangeSender>(*kernel_)) {}

    int send(const void* data, size_t size) override;
    int64_t receive(void* buffer, size_t size) override;
    uint32_t ifindex(std::string_view name) override;
    std::string ifname(uint32_t ifindex) override;
    int control(unsigned long request, void* argument) override;

    // Goes on over another socket, unless the kernel still owes verdicts over this one.
    void replace(std::unique_ptr<Transport> kernel);
    // Asks the kernel anew for every name.
    void forget_names();

    void start_queueing();
    // Whether something was refused since start_queueing().
    bool behind() const { return behind_; }
    void stop_queueing() { mode_ = Mode::direct; }
    size_t queued() const { return queue_.ends.size(); }
    bool full() const { return full_; }
    // Drops all but the first `count` changes of the queue.
    void drop(size_t count);
    void post();
    size_t posted() const { return sender_->on_the_way(); }
    // Waits for the verdicts on the oldest queue that was posted, which are kept until the next
    // collect(). Nothing but queueing, post() and collect() may be done while any is posted.
    void collect() { collected_ = sender_->collect(); }
    // The change that had this place in the queue wasn't a plain success.
    bool notable(size_t place) const { return collected_.verdicts.contains(place); }
    // The next change gets the verdict on that one.
    void replay(size_t place);

  private:
    static constexpr size_t most_changes = 64;  // their verdicts fit into a socket's buffer
    static constexpr size_t most_bytes = size_t{32} * 1024;
    enum class Mode : uint8_t { direct, queue, replay };

    int queue(const void* data, size_t size);
    bool refuse();

    std::unique_ptr<Transport> kernel_;
    Mode mode_ = Mode::direct;
    bool behind_ = false;
    bool full_ = false;  // why it is behind: the queue is full
    bool caching_ = true;
    nlmsghdr last_{};  // of the message that was sent last
    ChangeWindow queue_;
    ChangeWindow collected_;
    size_t replayed_ = 0;
    std::unordered_map<std::string, uint32_t> indexes_;
    std::unique_ptr<ChangeSender> sender_;
};

// A channel's way over a transport that outlives it.
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
