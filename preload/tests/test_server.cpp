// The real server with a test engine: `ip test …` does what a test asks for; it declines all else.
// Linked in place of shim/engine.
#include <fmt/format.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <sstream>

#include "shim/cli/personality.h"
#include "shim/engine/engine.h"
#include "shim/engine/tools.h"
#include "shim/server/reply_streams.h"
#include "shim/server/server.h"

namespace nlsh {

struct Engine::State {};
Engine::Engine(unsigned, Process, bool) {}
Engine::~Engine() = default;

namespace {

struct TestLine {
    std::string verb, argument;
};

struct TestPrepared : Prepared {
    TestLine line;
};

std::optional<TestLine> parse(std::string_view line) {
    std::istringstream words{std::string(line)};
    std::string ip, test;
    TestLine result;
    words >> ip >> test >> result.verb;
    std::getline(words >> std::ws, result.argument);
    // By its path: the script of battery_test.py.
    const bool script = ip.starts_with("/tmp/") && ip.ends_with("/bin/ip");
    if ((ip != "ip" && !script) || test != "test") return std::nullopt;
    return result;
}

int number(const std::string& text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// `ip link set dev lo mtu 65536`: a change that changes nothing.
int set_mtu(Session& session) {
    ifinfomsg header{};
    header.ifi_index = 1;
    Message message(RTM_NEWLINK, 0, header);
    message.put_u32(IFLA_MTU, 65536);
    const auto channel = session.rtnl();
    return channel && (*channel)->change(message).ok() ? 0 : 2;
}

Evaluation run_line(const TestLine& line, Session& session, Output& out, Output& err,
                    Files& files) {
    const int count = number(line.argument);
    if (line.verb == "out") {
        const std::string row(99, 'x');
        for (int left = count; left > 0; left -= 100) {
            if (!out.write((row + "\n").substr(0, static_cast<size_t>(std::min(left, 100))))) break;
        }
    } else if (line.verb == "err") {
        err.write(line.argument + "\n");
        return {.status = 2, .failures = {{1, "ip test err", 2, line.argument}}};
    } else if (line.verb == "sleep") {
        usleep(static_cast<useconds_t>(count) * 1000);
    } else if (line.verb == "status") {
        return {.status = count, .failures = {}};
    } else if (line.verb == "die") {
        raise(SIGKILL);
    } else if (line.verb == "devices") {
        const auto text = files.read("/proc/sys/net/ipv4/conf/" + line.argument + "/forwarding");
        out.write(text ? *text : "none\n");
    } else if (line.verb == "mtu") {
        return {.status = set_mtu(session), .failures = {}};
    }
    return {};
}

}  // namespace

std::expected<std::shared_ptr<const Prepared>, Decline> Engine::prepare(
    std::string_view line, const CallerEnvironment& caller, Clock::time_point) {
    if (!caller.unsupported.empty()) return declined("variable " + caller.unsupported);
    if (!parse(line)) return declined("not a test");
    auto prepared = std::make_shared<TestPrepared>();
    prepared->line = *parse(line);
    prepared->program.read_only = prepared->line.verb == "out";
    return prepared;
}

void Engine::remember(size_t) {}
void Engine::obey(const std::string&) {}
bool Engine::switched_off(Clock::time_point) {
    return false;
}
void Engine::forget() {}
void Engine::renew() {}
bool Engine::meets_unknown_build() const {
    return false;
}

void Engine::doubt() {}

std::string Engine::file(std::string_view word, const CallerEnvironment& caller) {
    return ToolFinder(caller.path).file(word);
}

std::optional<Tool> Engine::tool(std::string_view, const CallerEnvironment&) {
    return {};
}

std::expected<Evaluation, Decline> Engine::run(const Prepared& prepared, Session& session,
                                               Sink& out, Sink& err, Files& files,
                                               std::optional<size_t>) {
    auto evaluation =
        run_line(static_cast<const TestPrepared&>(prepared).line, session, out, err, files);
    if (out.take_failure().killed) evaluation.status = 128 + SIGPIPE;
    return evaluation;
}

}  // namespace nlsh

int main(int argc, char** argv) {
    // Stands in for the installed nlsh (NLSH_PROGRAM).
    if (const auto status = nlsh::run_spawned(argc, argv)) _exit(*status);
    if (argc != 2) return 1;
    return nlsh::serve({.socket = argv[1]});
}
