#include "shim/engine/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "backend/net/namespace.h"
#include "backend/objects/link/kinds/kinds.h"
#include "shim/builds/programs.h"
#include "shim/engine/own_rights.h"
#include "shim/engine/tools.h"
#include "shim/files/system_files.h"
#include "shim/files/watch.h"
#include "shim/stats/command_names.h"

namespace nlsh {
namespace {

// How long answers are cached. Then stamps are checked for what the watch can't see (watch.h). In
// the end everything is looked up anew, because the environment and other things may have changed.
constexpr auto oldest = std::chrono::seconds(1);
constexpr auto oldest_stamped = std::chrono::minutes(1);
constexpr auto oldest_of_script = std::chrono::milliseconds(1);
constexpr auto renewable = std::chrono::milliseconds(300);
constexpr size_t recent_max = 8;  // lines that are then parsed again
// Cached lines: two generations of this size. The older one is dropped when the younger is full.
constexpr size_t generation_size = 2048;
// Bytes of lines in a generation, and PATHs: bounds for hostile callers.
constexpr size_t generation_bytes = size_t{512} * 1024;
constexpr size_t paths_max = 16;
// Lines before a program that was short of descriptors gets another try.
constexpr unsigned lines_without_watch = 100;
constexpr size_t line_max = 4096;  // a parsed line takes some 80 times its bytes

constexpr std::array<std::string_view, 6> system_directories{
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"};

bool is_system_directory(std::string_view directory) {
    return std::ranges::find(system_directories, directory) != system_directories.end();
}

bool has_system_path(std::string_view path) {
    while (!path.empty()) {
        const size_t end = std::min(path.find(':'), path.size());
        if (!is_system_directory(path.substr(0, end))) return false;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return true;
}

// The caller's PATH, or the default if the caller's isn't searched.
std::string looked_along(const CallerEnvironment& caller) {
    const bool looked = !caller.system_programs || has_system_path(caller.path);
    return looked ? caller.path : std::string();
}

bool may_look_at(std::string_view word, const CallerEnvironment& caller) {
    if (!caller.system_programs) return true;
    const size_t slash = word.rfind('/');
    return slash == word.npos ? has_system_path(caller.path)
                              : is_system_directory(word.substr(0, slash));
}

class Environment final : public ProgramEnvironment {
  public:
    Environment(ToolFinder& tools, SystemFiles& files, const NameTables& names,
                const CallerEnvironment& caller)
        : tools_(tools), files_(files), names_(names), caller_(caller) {}

    std::optional<Tool> tool(std::string_view word) const override {
        return may_look_at(word, caller_) ? tools_.tool(word) : std::nullopt;
    }
    Traits traits(Tool tool) const override { return tools_.traits(tool); }
    std::string other_version(std::string_view word) const override {
        if (!may_look_at(word, caller_)) return {};
        const std::string version = tools_.other_version(word);
        return version.empty() ? version : ": iproute2 " + version + ", which is not known";
    }
    bool utility(std::string_view word, std::string_view base) const override {
        return caller_.plain_locale && may_look_at(word, caller_) && tools_.utility(word, base);
    }
    bool says_base_name(std::string_view word) const override {
        return tools_.says_base_name(word);
    }
    const NameTables& names() const override { return names_; }
    LinkKinds kinds() const override { return link_kinds(); }
    bool c_collation() const override { return caller_.plain_locale; }
    Charset charset() const override {
        if (!caller_.plain_locale) return Charset::unknown;
        return caller_.utf8 ? Charset::utf8 : Charset::ascii;
    }
    Parsed<Command> command(Tool tool, Words words) const override {
        auto command = ProgramEnvironment::command(tool, words);
        if (command || !asks_kept_usage(tool, words)) return command;
        std::string usage = tools_.fdb_usage();
        if (usage.empty()) return command;
        return Command{.options = {.tool = tool, .traits = traits(tool)},
                       .request = RefusedCommand{.message = std::move(usage)},
                       .summary = words[0] + " help",
                       .is = {.read_only = true}};
    }
    bool in_process() const override { return caller_.any_file; }
    const char* mount_refusal() const override {
        if (!caller_.own) return nullptr;
        if (is_filtered()) return " under a seccomp filter";
        return is_first_root() ? nullptr : ": not root";
    }
    bool writable(std::string_view path) const override {
        if (path == "/dev/null") return files_.null_discards();
        return caller_.any_file || files_.has_setting(path);
    }

  private:
    ToolFinder& tools_;
    SystemFiles& files_;
    const NameTables& names_;
    const CallerEnvironment& caller_;
};

using Answer = std::expected<std::shared_ptr<const Prepared>, Decline>;

// Everything that decides how a line is parsed; the cache's key.
struct Asked {
    std::string_view line;
    const CallerEnvironment& caller;
};
struct Kept {
    std::string line;
    CallerEnvironment caller;
    operator Asked() const { return {line, caller}; }
};
struct HashOfLine {
    using is_transparent = void;
    size_t operator()(const Asked& asked) const {
        return std::hash<std::string_view>()(asked.line);
    }
};
struct SameAsked {
    using is_transparent = void;
    bool operator()(const Asked& a, const Asked& b) const {
        return a.line == b.line && a.caller == b.caller;
    }
};
using Answers = std::unordered_map<Kept, Answer, HashOfLine, SameAsked>;

// Recently parsed lines that came twice: most lines of a program differ, and caching them would
// cost more than parsing. A generation shares name tables and tool look-ups.
struct LineCache {
    std::array<uint32_t, 1024> seen{};  // hashes of lines that came once
    Answers young;
    Answers old;
    size_t young_bytes = 0;
    size_t size = generation_size;

    const Answer* find(const Asked& asked) {
        if (const auto hit = young.find(asked); hit != young.end()) return &hit->second;
        const auto hit = old.find(asked);
        if (hit == old.end()) return nullptr;
        Answer answer = std::move(hit->second);
        old.erase(hit);
        return &add(asked, std::move(answer));
    }
    const Answer& add(const Asked& asked, Answer answer) {
        if (young.size() >= size || young_bytes >= generation_bytes) {
            old = std::move(young);
            young.clear();
            young_bytes = 0;
        }
        young_bytes += asked.line.size() + asked.caller.path.size();
        return young
            .insert_or_assign(Kept{std::string(asked.line), asked.caller}, std::move(answer))
            .first->second;
    }
    bool comes_again(const Asked& asked) {
        const size_t hash = HashOfLine()(asked);
        const auto mark = static_cast<uint32_t>(hash >> (4 * sizeof hash));
        return std::exchange(seen[hash % seen.size()], mark) == mark;
    }
    void clear() {
        young.clear();
        old.clear();
        young_bytes = 0;
    }
};

}  // namespace

struct Engine::State {
    std::mutex mutex;
    NameFiles files;
    std::optional<Dialect> shell;
    std::shared_ptr<References> references;
    std::shared_ptr<const NameTables> names;
    std::unordered_map<std::string, ToolFinder> tools;  // by PATH
    SystemFiles system;
    unsigned unwatched = 0;  // lines left without a watch
    Process process = Process::own;
    std::unique_ptr<Watch> watch;         // none: nothing is cached
    Engine::Clock::time_point since;      // since when answers hold
    Engine::Clock::time_point looked_up;  // when everything was looked up
    Engine::Clock::time_point asked;      // when the watch was last asked
    std::string kill_switch;              // a file; empty: none
    bool switched_off = false;
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

    bool scripted() const { return process == Process::script || process == Process::commands; }

    // An unknown build may have become known.
    bool stamps_hold() { return references->known() && watch->stamps_hold() && names_hold(); }
    bool names_hold() { return files.tables(references->traits_of_names()) == names; }

    bool believed(Engine::Clock::time_point now) {
        if (scripted()) return now - since < oldest_of_script;
        if (watch == nullptr || watch->changed()) return false;
        if (now - since < oldest) return true;
        if (now - looked_up >= oldest_stamped || !stamps_hold()) return false;
        since = now;
        return true;
    }

    // Forgets everything if a source of it may have changed.
    void refresh(Engine::Clock::time_point now = Engine::Clock::now()) {
        if (std::exchange(asked, now) == now && since != Engine::Clock::time_point()) return;
        if (tools.size() <= paths_max && believed(now)) return;
        since = looked_up = now;
        if (unwatched > 0) {
            --unwatched;
        } else if (!scripted() && (watch == nullptr || watch->blind())) {
            watch = std::make_unique<Watch>(process == Process::foreign);
            if (process == Process::foreign && watch->blind()) {  // no descriptor is free
                watch.reset();
                unwatched = lines_without_watch;
            }
        }
        if (!kill_switch.empty()) {
            observe(kill_switch);
            switched_off = access(kill_switch.c_str(), F_OK) == 0;
        }
        observe("/bin/sh");
        observe("/etc/protocols");
        shell = process == Process::commands ? Dialect::dash : system_shell();
        const bool ours = process != Process::foreign;
        references =
            std::make_shared<References>([this](const std::string& file) { observe(file); });
        if (watch != nullptr) observe_names(references->traits_of_names());
        names = watch == nullptr && ours ? names_of_one_line()
                                         : files.tables(references->traits_of_names());
        tools.clear();
        system = SystemFiles([this](const std::string& path) {
            if (watch != nullptr) watch->add_entry(path);
        });
        lines.clear();
    }

    // Few lines name a routing table or a protocol: other lines don't read these files. A look-up
    // fills the tables, so threads must not share them: the line's parser ends before the line
    // runs.
    std::shared_ptr<const NameTables> names_of_one_line() const {
        return std::make_shared<const NameTables>(
            NameFiles::on_demand([known = references] { return known->traits_of_names(); }));
    }

    void observe(const std::string& file) const {
        if (watch != nullptr) watch->add_file(file);
    }

    // Links among the name files may lead elsewhere.
    void observe_names(Traits traits) const {
        for (const std::string& directory : files.directories(traits)) {
            watch->add(directory);
            std::error_code error;
            for (const auto& entry : std::filesystem::directory_iterator(directory, error))
                if (entry.is_symlink(error)) observe(entry.path());
        }
    }

    ToolFinder& finder(const std::string& path) {
        if (const auto known = tools.find(path); known != tools.end()) return known->second;
        const auto place =
            tools
                .try_emplace(
                    path, path, [this](const std::string& file) { observe(file); }, references)
                .first;
        if (watch != nullptr)
            for (const std::string& directory : place->second.directories())
                watch->add(directory);
        return place->second;
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
