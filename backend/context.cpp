#include "backend/context.h"

#include "backend/errors.h"

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

std::expected<std::reference_wrapper<Channel>, int> open_channel(Context& context,
                                                                 const Options& options) {
    // `ip -batch` uses a socket that isn't strict; `bridge -batch` uses a strict one.
    const bool strict = !options.batch || options.tool == Tool::bridge;
    const auto channel = strict ? context.session.rtnl() : context.session.loose();
    if (!channel) return std::unexpected(cannot_open_socket(context, channel.error()));
    return **channel;
}

}  // namespace nlsh
