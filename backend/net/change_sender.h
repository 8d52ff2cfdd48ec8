// Sends many changes at a time by a thread of its own, so that parsing continues while the kernel
// works.
#pragma once

#include <linux/netlink.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nlsh {

class Transport;

// The requests of one system call. The kernel answers each (NLM_F_ACK), in order.
struct ChangeWindow {
    std::string messages;
    std::vector<size_t> ends;                // the end of each message in `messages`
    std::map<size_t, std::string> verdicts;  // datagrams by place, without plain successes
};

// Used by one thread beside its own.
class ChangeSender {
  public:
    // Nobody else may use `kernel` while a window is under way.
    explicit ChangeSender(Transport& kernel) : kernel_(kernel) {}
    // Windows that haven't begun are not sent.
    ~ChangeSender();
    ChangeSender(const ChangeSender&) = delete;
    ChangeSender& operator=(const ChangeSender&) = delete;

    void send(ChangeWindow window);
    // Windows sent and not collected.
    size_t on_the_way() const { return on_the_way_; }
    // Waits for the answers to the oldest window. There must be one.
    ChangeWindow collect();

  private:
    bool has_thread();
    void run();

    Transport& kernel_;
    size_t on_the_way_ = 0;
    bool alone_ = false;  // no thread or no processor is free
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ChangeWindow> waiting_;
    std::deque<ChangeWindow> answered_;
    bool stop_ = false;
    std::thread thread_;  // last, because it uses all other members
};

// Writes an answer as the kernel would, NLMSG_ERROR with an errno or 0. Returns its size.
int64_t write_verdict(void* buffer, const nlmsghdr& request, int error);

}  // namespace nlsh
