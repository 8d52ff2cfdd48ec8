// Bounds how many threads of a processor work for other users than the server's. The server's own
// user always finds a thread, and no other user can take all the rest.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace nlsh {

// Thread-safe.
class Shares {
  public:
    explicit Shares(unsigned threads)
        : all_max_(std::max(threads / 2, 1U)), each_max_(std::max(threads / 4, 1U)) {}

    // While it lives, one thread works for the user.
    class Share {
      public:
        Share(Shares& owner, uid_t user) : owner_(&owner), user_(user) {}
        Share(Share&& other) noexcept
            : owner_(std::exchange(other.owner_, nullptr)), user_(other.user_) {}
        ~Share() {
            if (owner_ != nullptr) owner_->give_back(user_);
        }

      private:
        Shares* owner_;
        uid_t user_;
    };
    // nullopt: the user, or all other users together, have their full share.
    std::optional<Share> take(uid_t user) {
        const std::lock_guard lock(mutex_);
        unsigned& taken = taken_[user];
        if (taken >= each_max_ || all_ >= all_max_) return {};
        ++taken;
        ++all_;
        return std::optional<Share>(std::in_place, *this, user);
    }

  private:
    void give_back(uid_t user) {
        const std::lock_guard lock(mutex_);
        const auto found = taken_.find(user);
        --all_;
        if (--found->second == 0) taken_.erase(found);
    }

    const unsigned all_max_, each_max_;
    std::mutex mutex_;
    unsigned all_ = 0;
    std::unordered_map<uid_t, unsigned> taken_;
};

}  // namespace nlsh
