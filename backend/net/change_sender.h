// Changes that go to the kernel many at a time, by a thread of their own: what follows is parsed
// while the kernel works.
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

// Requests that one system call sends. The kernel answers each (NLM_F_ACK), in their order.
struct ChangeWindow {
    std::string messages;
    std::vector<size_t> ends;                // of each in messages
    std::map<size_t, std::string> verdicts;  // datagrams, by place; plain successes are left out
};

// For one thread beside its own.
class ChangeSender {
  public:
    // Nobody else sends or receives over `kernel` while anything is on its way.
    explicit ChangeSender(Transport& kernel) : kernel_(kernel) {}
    // Windows that haven't been begun are not sent.
    ~ChangeSender();
    ChangeSender(const ChangeSender&) = delete;
    ChangeSender& operator=(const ChangeSender&) = delete;

    void send(ChangeWindow window);
    // Windows sent and not collected.
    size_t on_the_way() const { return on_the_way_; }
    // The oldest of them, once the kernel has answered it. There must be one.
    ChangeWindow collect();

  private:
    bool has_thread();
    void run();

    Transport& kernel_;
    size_t on_the_way_ = 0;
    bool alone_ = false;  // there is no thread, or no processor for one
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ChangeWindow> waiting_;
    std::deque<ChangeWindow> answered_;
    bool stop_ = false;
    std::thread thread_;  // the last member: it uses all others
};

// The answer to a request as the kernel would write it, NLMSG_ERROR with an errno or 0. Its size.
int64_t write_verdict(void* buffer, const nlmsghdr& request, int error);

}  // namespace nlsh
