#include "shim/server/service.h"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "backend/shell/late_output.h"
#include "shim/batch/own_process.h"
#include "shim/engine/caller.h"
#include "shim/engine/stand_in.h"
#include "shim/peer/callers_files.h"
#include "shim/peer/proc_files.h"
#include "shim/process/exec_line.h"
#include "shim/process/exit_status.h"
#include "shim/process/trace.h"
#include "shim/wire/failures.h"

namespace nlsh {
namespace {

// After a change is sent, there must be memory for its answer. So a call first allocates as much
// and frees it to the heap, which keeps it. Throws std::bad_alloc.
void find_room() {
    constexpr size_t room = 64 << 10;  // bytes; malloc would map larger pieces separately
    ::operator delete(::operator new(room));
}

std::expected<RequestView, std::string> decoded(std::span<const char> frame) {
    try {
        return decode_request(frame);
    } catch (const std::bad_alloc&) {
        return std::unexpected("no memory");
    }
}

std::string text_of(const Decline& decline) {
    return decline.reason.empty() ? "declined" : decline.reason;
}

std::string text_of(const RequestView& request, const Evaluation& evaluation) {
    if (request.says(NLSH_WANT_FAILURES)) return encode_failures(evaluation.failures);
    return request.says(NLSH_WANT_TEXT) ? describe_failure(evaluation) : std::string();
}

int wait_status(const Evaluation& evaluation) {
    return W_EXITCODE(evaluation.signal == 0 ? evaluation.status & 0xff : 0, evaluation.signal);
}

}  // namespace

Service::Service(const ServiceSettings& settings)
    : decline_all_(settings.decline_all),
      helper_(settings.helper),
      audit_(settings.audit),
      verify_log_(settings.verify_log),
      sampler_(settings.verify),
      log_(settings.log),
      peers_(settings.by_proc) {
    engine_.remember(settings.remembered / 2);  // two generations
    engine_.obey(settings.kill_switch);
}

bool Service::answer(Connection& connection, Worker worker) {
    const ssize_t got = connection.receive(worker.frame);
    if (got <= 0) return false;
    const auto start = std::chrono::steady_clock::now();
    const size_t size = static_cast<size_t>(got);
    std::string reason = "request too large";
    Reply refusal{.type = NLSH_DECLINED};
    if (size <= worker.frame.size()) {
        const auto request = decoded(worker.frame.first(size));
        const bool root = !is_strangers(connection);
        if (root && request && request->kind == NLSH_STATS && connection.sender_connected()) {
            send_statistics(connection, request->command == "reset");
            return false;
        }
        if (root && request && request->kind == NLSH_JUDGE) {
            send_judgement(connection, request->command);
            return false;
        }
        if (request) {
            Call call{connection, *request, worker.counters, start,
                      request->says(NLSH_KEEP) && worker.may_keep};
            reason = run_or_decline(call);
            if (reason.empty()) return call.keep;
            refusal.flags = flag_if(call.not_this_caller, NLSH_NOT_THIS_CALLER) |
                            flag_if(call.pass_socket, NLSH_PASS_SOCKET) |
                            flag_if(call.pass_streams, NLSH_PASS_STREAMS);
        } else {
            reason = request.error();
        }
    }
    refusal.text = reason;
    connection.reply(refusal);
    if ((refusal.flags & NLSH_PASS_STREAMS) != 0) return false;  // the client asks again
    const pid_t pid = connection.sender().pid;
    worker.counters.fallback(reason, program(worker.counters, pid));
    return false;
}

// Read the request: a client finds the reply only if no unread byte is lost when we close.
void Service::turn_away(Connection& connection, std::span<char> frame, std::string_view reason) {
    connection.receive_at_once(frame);
    connection.reply({.type = NLSH_DECLINED, .text = reason, .flags = NLSH_NOT_THIS_CALLER});
}

std::string Service::run_or_decline(Call& call) {
    try {
        return refusal_or_run(call);
    } catch (const std::bad_alloc&) {
        if (call.started) throw;
        call.not_this_caller = true;
        return "no memory";
    }
}

// Why nothing has run; empty: the line has run and was replied to.
std::string Service::refusal_or_run(Call& call) {
    if (decline_all_) return "the server declines all";
    if (engine_.switched_off(call.start)) return "the kill switch is on";
    Connection& connection = call.connection;
    call.not_this_caller = true;
    if (!connection.sender_connected()) return "the connection is another process's";
    if (connection.streams_lost()) return "no descriptor is left";
    if (call.request.says(NLSH_NETLINK) && !connection.take_socket(call.request))
        return "no netlink socket has come";
    call.by_socket = connection.socket() != nullptr && call.request.kind != NLSH_WRITE;
    if (!call.by_socket)
        if (std::string refusal = attest(call); !refusal.empty()) return refusal;
    call.not_this_caller = false;
    CallerEnvironment caller = caller_environment(call.request.environment);
    caller.system_programs = is_strangers(connection);
    if (call.request.kind == NLSH_WRITE) {
        call.keep = false;
        return replace(call, caller);
    }
    call.line = call.request.command;
    std::optional<std::string> in_place;
    if (call.request.kind == NLSH_EXEC) {
        const auto words = exec_words(call.request.command);
        if (enters_netns(words)) {
            if (call.by_socket)
                if (std::string refusal = attest(call); !refusal.empty()) return refusal;
            return let_enter(call, words[0], caller);
        }
        in_place =
            exec_line(words, [&](std::string_view name) { return engine_.file(name, caller); });
        if (!in_place) return "no plain command of ip, bridge or a shell";
        call.line = *in_place;
    }
    const auto prepared = engine_.prepare(call.line, caller, call.start);
    if (!prepared) {
        call.not_this_caller = is_native_in_own_process(engine_, call.line, caller);
        return text_of(prepared.error());
    }
    if (call.by_socket) {
        std::string refusal = socket_refusal(call, (*prepared)->program);
        call.by_socket = refusal.empty();
        if (call.by_socket) peers_.learn_name(call.client());
        if (!refusal.empty() && !attest(call).empty()) return refusal;
    }
    return run(call, **prepared);
}

std::string Service::let_enter(Call& call, std::string_view file, const CallerEnvironment& caller) {
    if (!caller.unsupported.empty()) return caller.unsupported + " is set";
    if (engine_.tool(file, caller) != Tool::ip) return "not the ip that is known";
    call.keep = false;
    call.connection.reply({.type = NLSH_REPLACED});
    return {};
}

std::string Service::replace(const Call& call, const CallerEnvironment& caller) {
    const auto line = stand_in(call.request.command, own_word(),
                               [&](std::string_view word) { return engine_.tool(word, caller); });
    if (!caller.unsupported.empty()) return caller.unsupported + " is set";
    if (!line || line->size() > NLSH_TEXT_MAX) return "no plain batch";
    call.connection.reply({.type = NLSH_REPLACED, .text = *line});
    return {};
}

std::string Service::run(Call& call, const Prepared& prepared) {
    Connection& connection = call.connection;
    if (CallersSocket* const socket = call.by_socket ? connection.socket() : nullptr)
        return run_in(call, prepared, socket->session(), socket->netns(), nullptr);
    const auto lease = sessions_.lease(
        connection.netns(), [&] { return connection.open_netns(); }, connection.journal());
    call.not_this_caller = !lease;
    if (!lease) return "the network namespace can't be entered";
    return run_in(call, prepared, lease->session(), lease->netns(), lease.get());
}

void Service::finish(Connection& connection, std::span<char> frame, Session& session,
                     bool by_socket) {
    const auto request = decode_request(frame);
    if (!request) return;
    Call call{connection, *request, registry_.take(), std::chrono::steady_clock::now(), false};
    const CallerEnvironment caller = caller_environment(request->environment);
    const auto find = [&](std::string_view name) { return engine_.file(name, caller); };
    const std::string in_place = request->kind == NLSH_EXEC
                                     ? exec_line(exec_words(request->command), find).value_or("")
                                     : std::string();
    call.line = request->kind == NLSH_EXEC ? in_place : request->command;
    call.again = true;
    call.by_socket = by_socket;
    const auto prepared = engine_.prepare(call.line, caller);
    if (prepared) run_in(call, **prepared, session, sessions_.own(), nullptr);
}

std::string Service::run_in(Call& call, const Prepared& prepared, Session& session, uint64_t netns,
                            Sessions::Lease* lease) {
    if (call.request.kind == NLSH_EXEC) return run_held(call, prepared, session, netns);
    ReplyStreams streams(call.connection.get(), call.request.kind,
                         {.journal = call.connection.journal(),
                          .anonymous = is_strangers(call.connection),
                          .by_socket = call.by_socket});
    if (call.request.says(NLSH_STREAMS))
        streams.give(call.connection.take_streams(),
                     call.request.says(NLSH_STREAMS_SIGPIPE_IGNORED));
    if (call.request.says(NLSH_STDERR)) streams.show_error(call.connection.take_streams());
    const auto evaluation = evaluate(call, prepared, session, {streams.output(), streams.error()});
    if (!evaluation) {
        call.pass_streams = streams.missed();
        return text_of(evaluation.error());
    }
    streams.close();
    if (lease != nullptr) lease->leave();
    const bool apart = netns != sessions_.own();
    call.keep = !streams.asked() && keep(call, apart);
    const std::string text = text_of(call.request, *evaluation);
    call.connection.reply(
        {.type = NLSH_DONE,
         .status = wait_status(*evaluation),
         .output = streams.held(),
         .text = text,
         .text_max = call.request.says(NLSH_WANT_FAILURES) ? NLSH_FAILURES_MAX : NLSH_TEXT_MAX,
         .flags = flag_if(call.keep, NLSH_KEPT) | flag_if(call.by_socket, NLSH_BY_SOCKET)});
    account(call, prepared, *evaluation, netns);
    return {};
}

std::string Service::run_held(Call& call, const Prepared& prepared, Session& session,
                              uint64_t netns) {
    HeldStreams streams(call.connection, call.request.says(NLSH_TERMINAL));
    call.keep = false;
    const LateOutput late = late_output(prepared.program, call.line.size());
    const auto bounded = call.again ? std::optional<size_t>(NLSH_OUTPUT_MAX) : streams.expect(late);
    if (!bounded) return would_wait(call);
    const auto evaluation =
        evaluate(call, prepared, session,
                 {.out = streams.output(), .err = streams.error(), .bounded = bounded});
    if (!evaluation) return text_of(evaluation.error());
    if (std::string refusal = reply_held(call, prepared, *evaluation, streams); !refusal.empty()) {
        call.started = false;
        return refusal;
    }
    account(call, prepared, *evaluation, netns);
    return {};
}

std::string Service::would_wait(Call& call) {
    call.not_this_caller = true;  // nlsh itself may wait
    return "its output would have to wait for its reader";
}

std::string Service::reply_held(Call& call, const Prepared& prepared, const Evaluation& evaluation,
                                HeldStreams& streams) {
    const bool unchanged = prepared.program.read_only;
    const std::string text = text_of(call.request, evaluation);
    Reply reply{
        .type = NLSH_DONE,
        .status = wait_status(evaluation),
        .text = text,
        .flags = flag_if(unchanged, NLSH_UNCHANGED) | flag_if(call.by_socket, NLSH_BY_SOCKET)};
    if (const auto whole = streams.text()) {
        reply.output = whole->bytes;
        reply.flags |= flag_if(whole->error, NLSH_TO_STDERR);
        call.connection.reply(reply);
        return {};
    }
    if (!streams.ask()) return {};
    // There was room after the change, but another writer may have filled it. A change can't be
    // undone: so the caller ends now, and the reader gets the rest later.
    const bool fits = streams.fit();
    if (!fits && unchanged) return would_wait(call);
    if (!fits) call.connection.reply(reply);
    streams.write();
    if (fits) call.connection.reply(reply);
    return {};
}

std::expected<Evaluation, Decline> Service::evaluate(Call& call, const Prepared& prepared,
                                                     Session& session, const Outputs& outputs) {
    if (!call.again && call.connection.withdrawn()) return declined("withdrawn");
    find_room();
    call.started = true;
    const bool both = helper_ != nullptr && prepared.program.read_only && !call.by_socket &&
                      sampler_.due(prepared.program);
    if (both)
        if (auto verified = run_verified(call, prepared, session, outputs)) return *verified;
    ProcFiles own([&session] { return session.enter(); });
    CallersFiles callers(call.connection.get(), call.connection.journal());
    Files& files = call.by_socket ? static_cast<Files&>(callers) : own;
    auto evaluation =
        Engine::run(prepared, session, outputs.out, outputs.err, files, outputs.bounded);
    call.started = evaluation.has_value();
    if (call.again) session.enter();  // throws unless everything recorded has been replayed
    return evaluation;
}

bool Service::keep(const Call& call, bool apart) {
    if (!call.keep) return false;
    return apart ? call.request.says(NLSH_KEEP_APART) && call.connection.keep_apart()
                 : call.connection.keep();
}

std::optional<Evaluation> Service::run_verified(Call& call, const Prepared& prepared,
                                                Session& session, const Outputs& outputs) {
    Evaluation evaluation;
    const auto native = [&]() -> std::optional<Captured> {
        ProcFiles files([&session] { return session.enter(); });
        StringOutput out, err;
        auto result = Engine::run(prepared, session, out, err, files);
        if (!result) return {};
        evaluation = std::move(*result);
        return Captured{std::move(out.text), std::move(err.text),
                        W_EXITCODE(evaluation.status & 0xff, 0)};
    };
    const auto real = [&]() -> std::optional<Captured> {
        const Descriptor netns = call.connection.open_netns();
        auto run = helper_->run(std::string(call.line), call.request.environment, netns.get());
        return run ? std::optional(std::move(*run)) : std::nullopt;
    };
    const auto verification = run_both(native, real);
    if (!verification) return {};
    ++verified_;
    if (verification->kind != Verification::Kind::same) {
        const bool numbers = verification->kind == Verification::Kind::numbers;
        ++(numbers ? numbers_ : different_);
        log_.write(numbers ? Level::info : Level::warning,
                   describe_difference(call.line, *verification));
        if (verify_log_ >= 0) append_difference(verify_log_, call.line, *verification);
        if (!numbers) helper_->put_out_of_use(proven_commands(prepared.program));
    }
    outputs.out.write(verification->real.output);
    outputs.err.write(verification->real.error);
    evaluation.status = exit_status(verification->real.wait_status);
    for (Sink* stream : {&outputs.out, &outputs.err})
        if (stream->take_failure().killed) evaluation.status = 128 + SIGPIPE;
    return evaluation;
}

// Keeps calls that come alone as fast as others, except for cold caches.
void Service::renew() {
    try {
        engine_.renew();
    } catch (const std::bad_alloc&) {
        return;  // the cached answers are too old, and will be looked up again
    }
}

void Service::rest() {
    log_.settle(std::chrono::steady_clock::now());
    peers_.forget();
    malloc_trim(0);
}

}  // namespace nlsh
