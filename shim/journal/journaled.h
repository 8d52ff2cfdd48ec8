// A channel's transport that writes a journal, and one that replays a journal.
#pragma once

#include <exception>
#include <expected>
#include <memory>

#include "backend/descriptor.h"
#include "backend/net/channel.h"
#include "shim/journal/journal.h"

namespace nlsh {

// Makes a transport over a new socket in the calling thread's namespace. The error is an errno.
// journal: the present lease's; null: none.
std::expected<std::unique_ptr<Transport>, int> journaled_transport(bool strict,
                                                                   Journal* const& journal);
// The same over another transport. `socket` and `owner` are only recorded.
std::unique_ptr<Transport> journaled_over(std::unique_ptr<Transport> transport, int socket,
                                          Journal* const& journal,
                                          Journal::Owner owner = Journal::Owner::server);

// The line's requests aren't the recorded ones: the line must not go on.
struct Diverged : std::exception {
    const char* what() const noexcept override { return "the line goes another way"; }
};

// Answers recorded questions from the journal, from `offset` on, without asking the kernel; then
// continues over `transport`. Throws Diverged if a question differs, or if an unrecorded question
// precedes recorded ones, because its answer may have changed.
std::unique_ptr<Transport> replaying(const Journal& journal, std::unique_ptr<Transport> transport,
                                     size_t& offset);

}  // namespace nlsh
