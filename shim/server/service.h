// Answers one connection: reads the request, checks the peer, runs the line, replies.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shim/engine/engine.h"
#include "shim/server/peer.h"
#include "shim/server/reply_streams.h"
#include "shim/server/sessions.h"
#include "shim/wire/codec.h"

namespace nlsh {

// Thread-safe; each thread gives a frame buffer of its own.
class Service {
  public:
    // Blocks as long as the line takes. The connection is closed by the caller.
    void answer(int connection, std::vector<char>& frame);

  private:
    std::string refusal_or_run(int connection, const RequestView& request);
    std::string replace(int connection, const RequestView& request,
                        const CallerEnvironment& caller);
    std::string run(int connection, const RequestView& request, const Prepared& prepared);

    Engine engine_;
    PeerCheck peers_;
    Sessions sessions_;
};

}  // namespace nlsh
