// What a server that verifies can't do itself while it serves: it starts no programs and writes no
// files.
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

    // As the function of this name does, which the server can't: it has no file to write any more.
    void put_out_of_use(const std::vector<ProvenCommand>& commands) const;

    // Runs the line in the network namespace of the descriptor. Thread-safe. The tools get only the
    // rights that every caller of the server has: uid 0 and CAP_NET_ADMIN. The error is an errno.
    std::expected<Captured, int> run(const std::string& line,
                                     const std::vector<std::string_view>& environment,
                                     int netns) const;

  private:
    explicit VerifyHelper(Descriptor socket) : socket_(std::move(socket)) {}
    Descriptor socket_;
};

}  // namespace nlsh
