// Serves one connection: reads the request, checks the peer, runs the line, replies.
#pragma once

#include <atomic>
#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "shim/audit/audit.h"
#include "shim/engine/engine.h"
#include "shim/json/json.h"
#include "shim/log/log.h"
#include "shim/peer/connection.h"
#include "shim/peer/peer.h"
#include "shim/peer/socket_check.h"
#include "shim/server/held_streams.h"
#include "shim/server/reply_streams.h"
#include "shim/server/sessions.h"
#include "shim/stats/registry.h"
#include "shim/verify/compare.h"
#include "shim/verify/helper.h"
#include "shim/wire/codec.h"

namespace nlsh {

struct ServiceSettings {
    std::string kill_switch = {};  // a file: while it exists, every line is declined
    bool decline_all = false;      // decline every line
    size_t remembered = 4096;      // parsed lines
    bool by_proc = false;          // inspect callers by /proc only (place.h)
    Level log = Level::off;
    std::optional<double> verify = {};  // the share of read-only lines that run both ways (Sampler)
    int verify_log = -1;                // an open file for the differences; -1: only the log
    const VerifyHelper* helper = nullptr;
    Audit* audit = nullptr;  // null: don't record changes
};

// Thread-safe. Each thread passes its own frame buffer and counters.
class Service {
  public:
    explicit Service(const ServiceSettings& settings);

    struct Worker {
        std::span<char> frame;  // of NLSH_REQUEST_MAX bytes
        Counters& counters;
        bool may_keep = false;  // no other connection needs this thread
    };
    // Reads a request and answers it. Blocks while the line runs, and for a kept connection's next
    // request. True: the connection is kept for another request.
    bool answer(Connection& connection, Worker worker);
    // For the heir (heir.h): finishes an accepted request. The journal says which steps are done.
    // Sends no reply if the request can't be finished. by_socket: over the caller's own socket.
    void finish(Connection& connection, std::span<char> frame, Session& session, bool by_socket);
    // Declines whatever is asked, and never blocks: the caller falls back.
    static void turn_away(Connection& connection, std::span<char> frame,
                          std::string_view reason = "the server is busy");
    // Call it at the end, when no request runs.
    void forget_lines() { engine_.forget(); }
    Registry& registry() { return registry_; }

  private:
    struct Call {
        Connection& connection;
        const RequestView& request;
        Counters& counters;
        std::chrono::steady_clock::time_point start;
        bool keep;                     // keep the connection, if possible
        std::string_view line = {};    // the running line
        bool started = false;          // a part of the line may have run
        bool again = false;            // for the heir: the request was accepted and begun
        bool by_socket = false;        // over the caller's own socket (CallersSocket)
        bool pass_socket = false;      // NLSH_PASS_SOCKET
        bool pass_streams = false;     // NLSH_PASS_STREAMS
        bool not_this_caller = false;  // declined because of the caller, not the line
        pid_t client() const { return connection.sender().pid; }
    };
    std::string run_or_decline(Call& call);
    std::string refusal_or_run(Call& call);
    // Why the caller isn't the server's equal; empty: it is.
    std::string attest(Call& call);
    // Why the line may not run over the caller's socket; empty: it may.
    static bool takes_output_of_strangers(const Call& call, bool changes);
    std::string socket_refusal(Call& call, const Program& program) const;
    std::string replace(const Call& call, const CallerEnvironment& caller);
    // For `ip netns exec`: lets the process enter the namespace by itself.
    std::string let_enter(Call& call, std::string_view file, const CallerEnvironment& caller);
    std::string run(Call& call, const Prepared& prepared);
    // lease: the session's; null: not leased.
    std::string run_in(Call& call, const Prepared& prepared, Session& session, uint64_t netns,
                       Sessions::Lease* lease);
    // In place of an exec.
    std::string run_held(Call& call, const Prepared& prepared, Session& session, uint64_t netns);
    // Empty: the caller has its reply.
    std::string reply_held(Call& call, const Prepared& prepared, const Evaluation& evaluation,
                           HeldStreams& streams);
    static std::string would_wait(Call& call);
    struct Outputs {
        Sink& out;
        Sink& err;
        std::optional<size_t> bounded = {};  // as in Engine::run
    };
    std::expected<Evaluation, Decline> evaluate(Call& call, const Prepared& prepared,
                                                Session& session, const Outputs& outputs);
    // Runs the line both ways; the caller gets the real tools' output. nullopt: it couldn't run.
    std::optional<Evaluation> run_verified(Call& call, const Prepared& prepared, Session& session,
                                           const Outputs& outputs);
    void account(const Call& call, const Prepared& prepared, const Evaluation& evaluation,
                 uint64_t netns);
    std::string client_name(pid_t pid);
    std::string_view program(Counters& counters, pid_t pid);
    // apart: the caller is in another namespace than the server.
    static bool keep(const Call& call, bool apart);
    void send_statistics(Connection& connection, bool reset);
    Json statistics(bool reset);
    // Says, to root only, why the server would decline the process.
    void send_judgement(Connection& connection, std::string_view process);
    // Called after a while without calls: frees what recent callers needed.
    void rest();
    void renew();

    const bool decline_all_;
    const VerifyHelper* helper_;
    Audit* const audit_;
    const int verify_log_;
    Sampler sampler_;
    std::atomic<uint64_t> verified_ = 0;
    std::atomic<uint64_t> different_ = 0;
    std::atomic<uint64_t> numbers_ = 0;  // of lines that differ only in numbers
    Log log_;
    Registry registry_;
    std::mutex reset_mutex_;
    std::shared_ptr<const Json> at_reset_;  // null: there was none
    Engine engine_{0, Engine::Process::own, true};
    PeerCheck peers_;
    SocketCheck socket_check_{peers_.places()};
    Sessions sessions_{[this] { rest(); }, [this] { renew(); }};
};

}  // namespace nlsh
