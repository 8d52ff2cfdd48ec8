#include "backend/context.h"

namespace nlsh {

std::expected<Channel*, int> Session::opened(std::unique_ptr<Channel>& channel, bool strict) const {
    if (channel == nullptr || channel->broken()) {
        auto fresh = open_(strict);
        if (!fresh) return std::unexpected(fresh.error());
        channel = std::make_unique<Channel>(std::move(*fresh));
        if (threads_ == Threads::some) channel->read_ahead();
    }
    return channel.get();
}

std::expected<Channel*, int> Session::rtnl() {
    return opened(rtnl_, true);
}

std::expected<Channel*, int> Session::loose() {
    return opened(loose_, false);
}

}  // namespace nlsh
