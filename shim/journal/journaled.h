// A channel's transport that writes a journal, and one that plays what is written there.
#pragma once

#include <exception>
#include <expected>
#include <memory>

#include "backend/descriptor.h"
#include "backend/net/channel.h"
#include "shim/journal/journal.h"

namespace nlsh {

// A socket of its own in the calling thread's namespace; errno on failure. journal: whose it is
// at present; null: nobody's.
std::expected<std::unique_ptr<Transport>, int> journaled_transport(bool strict,
                                                                   Journal* const& journal);
// The same over another transport; the socket beneath it and its owner are only written down.
std::unique_ptr<Transport> journaled_over(std::unique_ptr<Transport> transport, int socket,
                                          Journal* const& journal,
                                          Journal::Owner owner = Journal::Owner::server);

// The line isn't what was written down: it must not go on.
struct Diverged : std::exception {
    const char* what() const noexcept override { return "the line goes another way"; }
};

// What was asked before is answered as it was, and not asked again, from `offset` on; what comes
// after that goes on over `transport`. Throws Diverged where something else is asked, or a question
// would be asked amidst what is written down, whose answer may be another one by now.
std::unique_ptr<Transport> replaying(const Journal& journal, std::unique_ptr<Transport> transport,
                                     size_t& offset);

}  // namespace nlsh
