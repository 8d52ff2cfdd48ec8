// A process that starts programs and writes files for a verifying server, which can't while it
// serves.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"
#include "shim/process/captured.h"
#include "shim/stats/command_names.h"

namespace nlsh {

class VerifyHelper {
  public:
    // Forks: call it before there are threads, and before the server drops its rights. The helper
    // ends with the server.
    static std::unique_ptr<VerifyHelper> start();

    // Calls put_out_of_use() (out_of_use.h) in the helper.
    void put_out_of_use(const std::vector<ProvenCommand>& commands) const;

    // Runs the line in the descriptor's network namespace. Thread-safe. The tools get only the
    // rights that every caller has: uid 0 and CAP_NET_ADMIN. The error is an errno.
    std::expected<Captured, int> run(const std::string& line,
                                     const std::vector<std::string_view>& environment,
                                     int netns) const;

  private:
    explicit VerifyHelper(Descriptor socket) : socket_(std::move(socket)) {}
    Descriptor socket_;
};

}  // namespace nlsh
