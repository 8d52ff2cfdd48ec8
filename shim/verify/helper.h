// Runs the real tools for the server, which itself may not start programs once it serves.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"
#include "shim/process/captured.h"

namespace nlsh {

class VerifyHelper {
  public:
    // Forks: before there are threads, and before the server gives up its rights. It ends with us.
    static std::unique_ptr<VerifyHelper> start();

    // In the network namespace of that descriptor. Thread-safe. With no more rights than the least
    // that a caller of the server has: uid 0 and CAP_NET_ADMIN. The error is an errno.
    std::expected<Captured, int> run(const std::string& line,
                                     const std::vector<std::string_view>& environment,
                                     int netns) const;

  private:
    explicit VerifyHelper(Descriptor socket) : socket_(std::move(socket)) {}
    Descriptor socket_;
};

}  // namespace nlsh
