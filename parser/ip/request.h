// The request of an ip or bridge command, and the properties of the command as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "parser/ip/options.h"
#include "parser/ip/requests.h"
#include "parser/ip/verb.h"

namespace nlsh {

#define NLSH_DECLARE(T) struct T;
NLSH_REQUESTS(NLSH_DECLARE)
#undef NLSH_DECLARE

enum class RequestType : uint8_t {
    none,
#define NLSH_ENUMERATE(T) T,
    NLSH_REQUESTS(NLSH_ENUMERATE)
#undef NLSH_ENUMERATE
};

template <typename T>
constexpr RequestType request_type = RequestType::none;
#define NLSH_NUMBER(T) \
    template <>        \
    inline constexpr RequestType request_type<T> = RequestType::T;
NLSH_REQUESTS(NLSH_NUMBER)
#undef NLSH_NUMBER

// One request of any kind. Immutable; copies share it. Not a std::variant, whose users would have
// to compile the types of all requests.
class Request {
  public:
    Request() = default;
    template <typename T>
        requires(request_type<T> != RequestType::none)
    Request(T request)
        : type_(request_type<T>), value_(std::make_shared<const T>(std::move(request))) {}

    RequestType type() const { return type_; }
    template <typename T>
    bool is() const {
        return type_ == request_type<T>;
    }
    template <typename T>
    const T* get_if() const {
        return is<T>() ? static_cast<const T*>(value_.get()) : nullptr;
    }
    // Precondition: is<T>().
    template <typename T>
    const T& get() const {
        return *static_cast<const T*>(value_.get());
    }

  private:
    RequestType type_ = RequestType::none;
    std::shared_ptr<const void> value_;
};

// Whether the request needs only netlink sockets of the network namespace.
constexpr bool goes_by_netlink_alone(RequestType type) {
    switch (type) {
#define NLSH_CASE(T) case RequestType::T:
        NLSH_NETLINK_REQUESTS(NLSH_CASE)
#undef NLSH_CASE
        return true;
        default:
            return false;
    }
}

struct Command {
    Options options;
    Request request;
    std::string summary;  // object and verb in full: "link set", for explain and statistics
    VerbProperties is;
    std::string netns = {};  // -netns; empty: none
    // nsenter's file of the network namespace. If it can't be entered, the line falls back.
    std::string netns_file = {};

    // Whether it needs nothing but a netlink socket of the network namespace.
    bool needs_netlink_alone() const {
        return goes_by_netlink_alone(request.type()) && !enters_netns() && !is.opens_netns;
    }
    bool enters_netns() const { return !netns.empty() || !netns_file.empty(); }
    // Whether it is a show with unknown colours.
    bool lacks_colors() const { return !options.json && is.read_only && !is.colored; }
};

}  // namespace nlsh
