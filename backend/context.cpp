#include "backend/context.h"

namespace nlsh {
namespace {

std::expected<Channel*, int> opened(std::unique_ptr<Channel>& channel, bool strict) {
    if (channel == nullptr || channel->broken()) {
        auto fresh = Channel::open(strict);
        if (!fresh) return std::unexpected(fresh.error());
        channel = std::make_unique<Channel>(std::move(*fresh));
    }
    return channel.get();
}

}  // namespace

std::expected<Channel*, int> Session::rtnl() {
    return opened(rtnl_, true);
}

std::expected<Channel*, int> Session::loose() {
    return opened(loose_, false);
}

}  // namespace nlsh
