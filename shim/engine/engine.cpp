#include "shim/engine/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "shim/builds/programs.h"
#include "shim/engine/environment.h"
#include "shim/engine/line_cache.h"
#include "shim/engine/tools.h"
#include "shim/files/system_files.h"
#include "shim/files/watch.h"
#include "shim/stats/command_names.h"

namespace nlsh {
namespace {

// How the engine notices changes of files.
struct Noticing {
    Watch::By by;
    // How long cached answers count without a check. Then the engine checks the stamps of what the
    // watch can't see (watch.h).
    std::chrono::milliseconds cached;
    // When the engine looks everything up again, because the environment and other things may have
    // changed.
    std::chrono::milliseconds stamped;
    // Watch nothing for the first line, because it may be the only one.
    bool from_the_second = false;
};
// Indexed by Engine::Process.
constexpr std::array<Noticing, 4> noticing{{
    {Watch::By::notices, std::chrono::seconds(1), std::chrono::minutes(1)},
    {Watch::By::guarded_notices, std::chrono::seconds(1), std::chrono::minutes(1)},
    {Watch::By::stamps, std::chrono::milliseconds(1), std::chrono::seconds(1), true},
    {Watch::By::stamps, std::chrono::milliseconds(1), std::chrono::seconds(1), true},
}};
constexpr Noticing unwatched_noticing{Watch::By::stamps, std::chrono::milliseconds(0),
                                      std::chrono::seconds(1)};
constexpr auto renewable = std::chrono::milliseconds(300);
constexpr size_t recent_max = 8;  // lines that renew() parses again
constexpr size_t paths_max = 16;  // a bound for hostile callers
// After so many lines, try a watch again in a program that was short of descriptors.
constexpr unsigned lines_without_watch = 100;
constexpr size_t line_max = 4096;  // a parsed line takes some 80 times its bytes

// This process's variables that decide which iproute2 is the reference, and which records of it
// count.
std::string variables_of_builds() {
    std::string found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view variable = *entry;
        if (variable.starts_with("NLSH_") || variable.starts_with("HOME=") ||
            variable.starts_with("XDG_CACHE_HOME="))
            found.append(variable).append(1, '\0');
    }
    return found;
}

}  // namespace

struct Engine::State {
    std::mutex mutex;
    NameFiles files;
    std::optional<Dialect> shell;
    std::shared_ptr<References> references;
    std::shared_ptr<const NameTables> names;
    std::shared_ptr<bool> names_read;                   // names_of_one_line(); null: all are read
    std::unordered_map<std::string, ToolFinder> tools;  // by PATH
    SystemFiles system;
    unsigned unwatched = 0;  // lines that still go by stamps
    Process process = Process::own;
    Noticing how = unwatched_noticing;
    std::unique_ptr<Watch> watch;         // null: nothing is noticed
    Engine::Clock::time_point since;      // since when answers hold
    Engine::Clock::time_point looked_up;  // when everything was looked up
    Engine::Clock::time_point asked;      // when the watch was last asked
    std::string kill_switch;              // a file; empty: none
    bool switched_off = false;
    std::string variables;  // variables_of_builds()
    LineCache lines;
    std::vector<Kept> recent;
    size_t recorded =
        recent_max;  // of `recent`, since the last renewal; recent_max before the first
    bool counted = false;

    void record(const Asked& asked) {
        if (recorded == recent_max || (recorded > 0 && SameAsked()(recent[recorded - 1], asked)))
            return;
        if (recent.size() == recorded) recent.emplace_back();
        recent[recorded++] = {std::string(asked.line), asked.caller};
    }

    bool by_stamps() const { return how.by == Watch::By::stamps; }

    // False for an unknown build, because it may have become known.
    bool stamps_hold() {
        return references->known() && watch->stamps_hold() && names_hold() && mounts_hold() &&
               variables == variables_of_builds();
    }
    bool names_hold() { return names_read || files.tables(references->traits_of_names()) == names; }
    bool mounts_hold() const { return !by_stamps() || !system.looked(); }

    bool believed(Engine::Clock::time_point now) {
        if (watch == nullptr || watch->by() != how.by || watch->changed()) return false;
        if (now - since < how.cached) return true;
        if (now - looked_up >= how.stamped || !stamps_hold()) return false;
        if (names_read && *names_read) {  // the name files have no stamps
            names = names_of_one_line();
            lines.clear();
        }
        since = now;
        return true;
    }

    void begin_watch() {
        if (how.from_the_second && looked_up == Engine::Clock::time_point()) return;
        if (watch != nullptr && watch->by() == how.by && !watch->blind()) return watch->forget();
        watch = std::make_unique<Watch>(how.by);
        if (process == Process::foreign && watch->blind()) {  // no descriptor is free
            unwatched = lines_without_watch;
            how = unwatched_noticing;
            watch = std::make_unique<Watch>(how.by);
        }
    }

    // Forgets everything if a file behind it may have changed.
    void refresh(Engine::Clock::time_point now = Engine::Clock::now()) {
        if (std::exchange(asked, now) == now && since != Engine::Clock::time_point()) return;
        how = unwatched > 0 ? unwatched_noticing : noticing[static_cast<size_t>(process)];
        if (unwatched > 0) --unwatched;
        if (tools.size() <= paths_max && believed(now)) return;
        begin_watch();
        since = looked_up = now;
        if (!kill_switch.empty()) {
            observe(kill_switch);
            switched_off = access(kill_switch.c_str(), F_OK) == 0;
        }
        shell = process == Process::commands ? Dialect::dash : observed_shell();
        references =
            std::make_shared<References>([this](const std::string& file) { observe(file); });
        if (watch != nullptr) variables = variables_of_builds();
        names = look_up_names();
        tools.clear();
        system = SystemFiles([this](const std::string& path) {
            if (watch != nullptr) watch->add_entry(path);
        });
        lines.clear();
    }

    std::optional<Dialect> observed_shell() const {
        observe("/bin/sh");
        return system_shell();
    }

    std::shared_ptr<const NameTables> look_up_names() {
        if (by_stamps() && process != Process::foreign) return names_of_one_line();
        if (!by_stamps()) observe_names(references->traits_of_names());
        names_read.reset();
        return files.tables(references->traits_of_names());
    }

    // Reads the name files on demand, because few lines name a routing table or a protocol. A
    // look-up fills the tables, so threads must not share them: the line's parser ends before the
    // line runs.
    std::shared_ptr<const NameTables> names_of_one_line() {
        names_read = std::make_shared<bool>(false);
        return std::make_shared<const NameTables>(
            NameFiles::on_demand([known = references, read = names_read] {
                *read = true;
                return known->traits_of_names();
            }));
    }

    void observe(const std::string& file) const {
        if (watch != nullptr) watch->add_file(file);
    }

    // Name files that are links may be changed to lead elsewhere.
    void observe_names(Traits traits) const {
        observe("/etc/protocols");
        for (const std::string& directory : files.directories(traits)) {
            watch->add(directory);
            std::error_code error;
            for (const auto& entry : std::filesystem::directory_iterator(directory, error))
                if (entry.is_symlink(error)) observe(entry.path());
        }
    }

    ToolFinder& finder(const std::string& path) {
        if (const auto known = tools.find(path); known != tools.end()) return known->second;
        const ToolFinder::Observers observers{
            .file = [this](const std::string& file) { observe(file); },
            .directory =
                [this](const std::string& directory) {
                    if (watch != nullptr) watch->add(directory);
                }};
        return tools.try_emplace(path, path, observers, references).first->second;
    }

    Answer parse(const Asked& asked) {
        const auto& [line, caller] = asked;
        if (!shell) return declined("/bin/sh is neither dash nor bash");
        if (!caller.unsupported.empty())
            return declined(fmt::format("{} is set", caller.unsupported));
        const Environment environment(finder(looked_along(caller)), system, *names, caller);
        auto program = parse_program(line, *shell, environment);
        if (!program) return std::unexpected(std::move(program.error()));
        if (program->prints_names)
            names->load_iproute2();  // a broken file must be found before the line runs
        if (names->corrupted) return declined("a file of /etc/iproute2 is corrupted");
        auto prepared =
            std::make_shared<Prepared>(Prepared{std::move(*program), names, {}, caller.colors});
        if (counted) prepared->names_of_commands = command_names(prepared->program);
        return prepared;
    }
};

Engine::Engine(unsigned unwatched, Process process, bool counted)
    : state_(std::make_unique<State>()) {
    state_->unwatched = unwatched;
    state_->process = process;
    state_->counted = counted;
}

Engine::~Engine() = default;

void Engine::doubt() {
    const std::lock_guard lock(state_->mutex);
    state_->since = {};
}

void Engine::obey(const std::string& kill_switch) {
    const std::lock_guard lock(state_->mutex);
    state_->kill_switch = kill_switch;
    state_->looked_up = state_->since = {};
}

bool Engine::switched_off(Clock::time_point now) {
    const std::lock_guard lock(state_->mutex);
    state_->refresh(now);
    return state_->switched_off;
}

void Engine::forget() {
    const std::lock_guard lock(state_->mutex);
    state_->lines.clear();
}

void Engine::remember(size_t lines) {
    const std::lock_guard lock(state_->mutex);
    state_->lines.size = lines;
}

std::expected<std::shared_ptr<const Prepared>, Decline> Engine::prepare(
    std::string_view line, const CallerEnvironment& caller, Clock::time_point now) {
    const auto named = [line](const std::string& function) { return line.contains(function); };
    if (std::ranges::any_of(caller.functions, named)) return declined("a function is exported");
    const Asked asked{line, caller};
    const std::lock_guard lock(state_->mutex);
    state_->refresh(now);
    if (line.size() > line_max) return state_->parse(asked);
    state_->record(asked);
    if (const Answer* known = state_->lines.find(asked)) return *known;
    Answer answer = state_->parse(asked);
    if (state_->lines.comes_again(asked)) state_->lines.add(asked, answer);
    return answer;
}

void Engine::renew() {
    const std::lock_guard lock(state_->mutex);
    if (Clock::now() - state_->since < renewable) return;
    state_->since = {};
    state_->refresh();
    state_->recorded = 0;
    for (const Kept& recent : state_->recent)
        if (state_->lines.find(recent) == nullptr) state_->lines.add(recent, state_->parse(recent));
}

bool Engine::meets_unknown_build() const {
    const std::lock_guard lock(state_->mutex);
    return state_->references != nullptr && !state_->references->known();
}

std::optional<Tool> Engine::tool(std::string_view word, const CallerEnvironment& caller) {
    const std::lock_guard lock(state_->mutex);
    state_->refresh();
    if (!may_look_at(word, caller)) return {};
    return state_->finder(looked_along(caller)).tool(word);
}

std::string Engine::file(std::string_view word, const CallerEnvironment& caller) {
    const std::lock_guard lock(state_->mutex);
    state_->refresh();
    if (!may_look_at(word, caller)) return {};
    return state_->finder(looked_along(caller)).file(word);
}

std::expected<Evaluation, Decline> Engine::run(const Prepared& prepared, Session& session,
                                               Sink& out, Sink& err, Files& files,
                                               std::optional<size_t> bounded) {
    Context context{.session = session, .names = *prepared.names, .colors = prepared.colors};
    context.bounded = bounded;
    try {
        return evaluate(prepared.program, context, out, err, files);
    } catch (const std::bad_alloc&) {
        if (context.committed) throw;
        return declined("no memory");
    }
}

}  // namespace nlsh
