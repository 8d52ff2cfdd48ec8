#include "shim/server/heir.h"

#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <utility>

#include "shim/confine/rights.h"
#include "shim/journal/journaled.h"
#include "shim/netns/netns.h"
#include "shim/peer/callers_socket.h"
#include "shim/peer/connection.h"
#include "shim/server/service.h"

namespace nlsh {
namespace {

constexpr std::string_view died = "the server died before";

// The last change of the journal, and whether its answer is missing.
struct Pending {
    bool any_change = false;
    bool unanswered = false;
    size_t offset = 0;  // of the last change
};

Pending pending(const Journal& journal) {
    Pending result;
    size_t offset = 0;
    while (const auto entry = journal.at(offset)) {
        const bool change = entry->record.kind == Journal::Kind::change;
        if (change) result = {.any_change = true, .unanswered = true, .offset = offset};
        if (entry->record.kind == Journal::Kind::answer) result.unanswered = false;
        offset = entry->next;
    }
    return result;
}

// Whether a message is the kernel's verdict (NLMSG_ERROR) on the request `sequence`.
bool is_verdict(const nlmsghdr& answer, size_t size, uint32_t sequence) {
    return size >= NLMSG_LENGTH(sizeof(nlmsgerr)) && answer.nlmsg_len <= size &&
           answer.nlmsg_len >= NLMSG_LENGTH(sizeof(nlmsgerr)) && answer.nlmsg_seq == sequence &&
           answer.nlmsg_type == NLMSG_ERROR;
}

// A kill interrupts waiting system calls and so may cause refusals, but not these verdicts.
bool is_certain(std::span<const char> answer) {
    nlmsgerr verdict;
    std::memcpy(&verdict, answer.data() + NLMSG_HDRLEN, sizeof verdict);
    return verdict.error == 0 || verdict.error == -EEXIST || verdict.error == -ESRCH;
}

enum class Left : uint8_t { nothing, verdict, unclear };

// Reads the answers that the dead thread left in its socket. Puts a verdict into the journal's
// room.
Left read_queue(const Journal& journal, std::span<char> room) {
    constexpr int datagrams_max = 1 << 16;  // a caller may fill the queue of its own socket
    for (int i = 0; i < datagrams_max; ++i) {
        const ssize_t got = recv(journal.netlink(), room.data(), room.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 && errno == EAGAIN ? Left::nothing : Left::unclear;
        nlmsghdr answer;
        std::memcpy(&answer, room.data(), sizeof answer);
        if (answer.nlmsg_seq != journal.sequence()) continue;  // an abandoned request's
        const auto size = static_cast<size_t>(got);
        const bool good = is_verdict(answer, size, journal.sequence()) && is_certain(room);
        return good ? Left::verdict : Left::unclear;
    }
    return Left::unclear;
}

// Completes the journal with what was sent and answered last. False: impossible.
bool settle(Journal& journal) {
    const Pending last = pending(journal);
    if (!last.unanswered) return true;
    const auto room = journal.room();
    if (room.size() < Message::capacity) return false;
    nlmsghdr answer;
    std::memcpy(&answer, room.data(), sizeof answer);
    if (answer.nlmsg_len == 0) {
        const Left left = read_queue(journal, room);
        if (left == Left::unclear) return false;
        // The kernel answers before send() returns: a change without an answer was never sent.
        if (left == Left::nothing) {
            journal.cut(last.offset);
            return true;
        }
        std::memcpy(&answer, room.data(), sizeof answer);
    }
    // The dead thread received the answer, but didn't record it.
    if (!is_verdict(answer, room.size(), journal.sequence())) return false;
    journal.answered(answer.nlmsg_len);
    return true;
}

// Whether the client has asked again, so it had its reply. A client that doesn't ask again never
// reads a second reply.
bool may_have_reply(int connection) {
    char byte;
    shutdown(connection, SHUT_RD);
    return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

// Needs no capability if the heir is already in the namespace.
bool enter_netns_of(int socket) {
    if (netns_of(socket) == own_netns()) return true;
    const Descriptor netns = open_netns_of(socket);
    return netns && setns(netns.get(), CLONE_NEWNET) == 0;
}

// The transport for the rest of a line: the caller's socket or a new one. The dead thread may have
// left the server's socket in the middle of a dump. Null: no socket.
std::unique_ptr<Transport> transport_for(const Journal& journal, bool strict) {
    if (journal.netlink_owner() == Journal::Owner::caller)
        return go_on_over_callers(journal.netlink());
    auto kernel = Channel::transport(strict);
    return kernel ? std::move(*kernel) : nullptr;
}

// Answers for all workers. Makes the service only if a line must be finished.
class Answers {
  public:
    explicit Answers(Audit* audit) : audit_(audit) {}
    // finishing: also run the rest of lines.
    void give(Journal& journal, bool finishing) {
        if (!journal.owes()) return;
        const auto reply = journal.reply();
        if (reply) {
            if (may_have_reply(journal.connection())) return;
            if (reply->type != NLSH_DONE) return decline(journal);
            if (reply->output_size == 0 && reply->text_size == 0) return done(journal, *reply);
        }
        if (!journal.tracked() || !settle(journal)) return;
        if (!pending(journal).any_change) return decline(journal);
        if (finishing) finish(journal);
    }

  private:
    static void decline(Journal& journal) {
        Connection(journal.connection()).reply({.type = NLSH_DECLINED, .text = died});
        journal.replied();
    }

    static void done(Journal& journal, const nlsh_reply& reply) {
        Connection(journal.connection())
            .reply({.type = NLSH_DONE,
                    .status = reply.status,
                    .flags = reply.flags & unsigned{NLSH_TO_STDERR | NLSH_UNCHANGED}});
        journal.replied();
    }

    void finish(Journal& journal) {
        const auto request = journal.request();
        const bool by_socket = journal.netlink_owner() == Journal::Owner::caller;
        if (!request || (!by_socket && !enter_netns_of(journal.netlink()))) return;
        if (!service_) service_ = std::make_unique<Service>(ServiceSettings{.audit = audit_});
        size_t offset = 0;
        bool opened = false;
        const auto open = [&](bool strict) -> std::expected<Channel, int> {
            if (!strict || std::exchange(opened, true)) throw Diverged();
            auto kernel = transport_for(journal, strict);
            if (!kernel) throw Diverged();
            return Channel(replaying(journal, std::move(kernel), offset));
        };
        const auto caught_up = [&] {
            if (journal.at(offset)) throw Diverged();
            return true;
        };
        Session session(Session::Threads::none, open, caught_up);
        Connection connection(journal.connection());
        connection.take_over_streams(journal);
        service_->finish(connection, *request, session, by_socket);
    }

    Audit* const audit_;
    std::unique_ptr<Service> service_;
};

// Runs lines last, because one of them may have killed the server.
void answer_all(Journals& journals, Audit* audit) {
    Answers answers(audit);
    for (const bool finishing : {false, true}) {
        for (Journal& journal : journals.all()) {
            try {
                answers.give(journal, finishing);
            } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
                // The caller sees the end of its connection.
            }
        }
    }
}

[[noreturn]] void wait_and_inherit(int server, Journals& journals, Listeners& listeners,
                                   Audit* audit) {
    prctl(PR_SET_NAME, "nlsh-heir");
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
        signal(number, SIG_IGN);
    if (!drop_rights(true, server_capabilities())) _exit(1);
    pollfd dead{server, POLLIN, 0};
    while (poll(&dead, 1, -1) < 0 && errno == EINTR) {
    }
    listeners.abandon();
    if (!journals.closed()) answer_all(journals, audit);
    _exit(0);
}

}  // namespace

// clone(2), unlike fork(3), lets the heir share the server's descriptors. libc's fork does more
// only for programs with threads.
void start_heir(Journals& journals, Listeners& listeners, Audit* audit) {
    const auto server = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
    if (server < 0) return;
    const long child =
        syscall(SYS_clone, CLONE_FILES | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (child == 0) wait_and_inherit(server, journals, listeners, audit);
    if (child < 0) close(server);
}

}  // namespace nlsh
