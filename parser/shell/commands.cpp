// Finds out what a simple command runs: a builtin, a filter, ip or bridge, a nested script.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "parser/filter/perl.h"
#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/shell/grammar.h"
#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct BuiltinName {
    std::string_view name;
    BuiltinKind kind;
    bool program;  // also a program that behaves the same: /bin/echo, /usr/bin/true …
};
constexpr std::array<BuiltinName, 9> builtins = {{{":", BuiltinKind::colon, false},
                                                  {"true", BuiltinKind::true_, true},
                                                  {"false", BuiltinKind::false_, true},
                                                  {"exit", BuiltinKind::exit, false},
                                                  {"echo", BuiltinKind::echo, true},
                                                  {"printf", BuiltinKind::printf, true},
                                                  {"test", BuiltinKind::test, false},
                                                  {"[", BuiltinKind::test, false},
                                                  {"set", BuiltinKind::set, false}}};

// Whether an unquoted expansion of this value is one word at most.
bool is_one_word(const Word& value) {
    return std::ranges::all_of(value.parts, [](const Part& part) {
        return part.kind == Part::Kind::status ||
               (part.kind == Part::Kind::literal &&
                part.text.find_first_of(" \t\n*?[") == std::string::npos);
    });
}

bool may_split(const Word& word, const ParseTotals& totals) {
    return std::ranges::any_of(word.parts, [&](const Part& part) {
        return !part.quoted &&
               (part.kind == Part::Kind::substitution ||
                (part.kind == Part::Kind::variable && totals.several_words.contains(part.text)));
    });
}

bool to_kernel_setting(const Redirection& redirection) {
    return redirection.path.starts_with("/proc/");
}

// nlsh imitates programs in the C locale, so LC_ALL=C and the like change nothing.
bool sets_c_locale(const std::vector<Assignment>& assignments) {
    return std::ranges::all_of(assignments, [](const Assignment& assignment) {
        auto value = assignment.value.literal();
        return (assignment.name == "LC_ALL" || assignment.name == "LANG") && value &&
               (*value == "C" || *value == "POSIX");
    });
}

// With LC_ALL=C in front, a command handles bytes instead of characters.
bool sets_characters(const Simple& simple) {
    return std::ranges::any_of(simple.assignments,
                               [](const Assignment& each) { return each.name == "LC_ALL"; });
}

// Whether a test may evaluate -e, -f or -d: the operator is written out, or an expansion stands in
// its place.
bool may_look_at_files(std::span<const Word> words, bool bracket) {
    words = words.subspan(1, words.size() - (bracket && words.size() > 1 ? 2 : 1));
    const auto is_operator = [](const Word& word) {
        const auto text = word.literal();
        return text == "-e" || text == "-f" || text == "-d";
    };
    if (std::ranges::any_of(words, is_operator)) return true;
    return !words.empty() && !words[words.size() - std::min<size_t>(words.size(), 2)].literal();
}

}  // namespace

std::optional<std::vector<std::string>> literal_arguments(const Simple& simple) {
    std::vector<std::string> words;
    words.reserve(simple.words.size());
    for (size_t i = 1; i < simple.words.size(); i++) {
        auto text = simple.words[i].literal();
        if (!text) return std::nullopt;
        words.push_back(std::move(*text));
    }
    return words;
}

Parsed<void> Grammar::resolve(Node& node, bool has_input) {
    Simple& simple = std::get<Simple>(node.kind);
    if (simple.words.empty()) {
        if (!simple.redirections.empty()) return declined("redirection without a command");
        for (const auto& each : simple.assignments)
            if (special_variable(each.name)) return declined("assignment to " + each.name);
        assign(simple);
        return {};
    }
    auto name = simple.words[0].literal();
    if (!name) return declined("the command's name isn't literal");
    if (const auto dialect = shell(*name)) {
        const auto words = literal_arguments(simple);
        if (!words) return declined("shell with other arguments than -c TEXT");
        return nested_script(node, *name, *dialect, *words, netns_);
    }
    if (TRY(script_in_netns(node))) return {};
    if (base_name(*name) == "nsenter" && environment_.utility(*name, "nsenter"))
        TRY(resolve_nsenter(simple));
    else
        TRY(resolve_named(simple, *name, has_input));
    if (!netns_.empty()) TRY(check_in_netns(simple));
    bool program = !std::holds_alternative<Builtin>(simple.action);
    // The kernel may refuse the value, and nlsh knows only the shell builtins' messages for that.
    if (program && std::ranges::any_of(simple.redirections, &to_kernel_setting))
        return declined("redirection of a program to a setting of the kernel");
    if (!simple.assignments.empty() && !(program && sets_c_locale(simple.assignments)))
        return declined("assignment before a command");
    simple.assignments.clear();
    const auto* builtin = std::get_if<Builtin>(&simple.action);
    if (builtin && builtin->kind == BuiltinKind::set) set_positional(simple);
    return {};
}

void Grammar::assign(const Simple& simple) {
    for (const auto& each : simple.assignments) {
        assigned_.insert_or_assign(each.name, each.value.literal());
        if (!is_one_word(each.value)) totals_.several_words.insert(each.name);
    }
}

// set -- WORDS
void Grammar::set_positional(const Simple& simple) {
    const auto words = literal_arguments(simple);
    for (size_t i = 1; i <= 9; i++) {
        const std::string name(1, static_cast<char>('0' + i));
        std::optional<std::string> value;
        if (words) value = i < words->size() ? (*words)[i] : "";
        assigned_.insert_or_assign(name, std::move(value));
        totals_.several_words.insert(name);
    }
    assigned_.insert_or_assign(
        "#", words ? std::optional(std::to_string(words->size() - 1)) : std::nullopt);
}

void Grammar::shorten(Simple& simple, const std::string& name) const {
    if (name.contains('/') && environment_.says_base_name(name))
        simple.words[0] = {.source = std::string(base_name(name)), .plain = true};
}

Parsed<bool> Grammar::resolve_named(Simple& simple, const std::string& name, bool has_input) {
    bool path = name.find('/') != std::string::npos;
    std::string_view base = base_name(name);
    for (const auto& each : builtins) {
        if (each.name != base || (path && !each.program)) continue;
        if (path && !environment_.utility(name, base)) return declined("command " + name);
        Flavour own = dialect_ == Dialect::bash ? Flavour::bash : Flavour::dash;
        Builtin builtin{each.kind, path ? Flavour::program : own, each.name == "[",
                        environment_.charset()};
        simple.action = builtin;
        shorten(simple, name);
        auto checked = check_builtin(simple, builtin, environment_);
        // nlsh doesn't imitate globs, or a test that expands to more words.
        if (each.kind == BuiltinKind::test && may_look_at_files(simple.words, builtin.bracket)) {
            if (!netns_.empty()) return declined("test of a file within netns exec");
            needs_more(base);
        }
        const bool late = each.kind != BuiltinKind::exit && each.kind != BuiltinKind::set &&
                          std::ranges::any_of(simple.words, [&](const Word& word) {
                              return may_split(word, totals_);
                          });
        if (checked) totals_.deferred += late || !*checked ? 1 : 0;
        return checked;
    }
    if (auto tool = environment_.tool(name)) return resolve_tool(simple, *tool);
    if (is_filter(base) && environment_.utility(name, base)) {
        shorten(simple, name);
        return resolve_filter(simple, base, has_input);
    }
    if (base == "sysctl" && environment_.utility(name, base)) {
        auto words = literal_arguments(simple);
        if (!words) return declined("sysctl: words aren't literal");
        auto sysctl = TRY(parse_sysctl(*words));
        for (const auto& setting : sysctl.settings) {
            if (!environment_.writable(setting.path)) return declined("sysctl: " + setting.path);
            totals_.changes += setting.value ? 1 : 0;
        }
        needs_more(base);
        simple.action = std::move(sysctl);
        return true;
    }
    if (base == "brctl" && environment_.utility(name, base)) {
        auto words = literal_arguments(simple);
        if (!words) return declined("brctl: words aren't literal");
        auto brctl = TRY(parse_brctl(*words));
        totals_.changes++;
        needs_more(base);
        simple.action = std::move(brctl);
        return true;
    }
    return declined("command " + name + environment_.other_version(name));
}

void Grammar::needs_more(std::string_view command) {
    if (totals_.beyond_netlink.empty()) totals_.beyond_netlink = command;
}

Parsed<bool> Grammar::resolve_tool(Simple& simple, Tool tool) {
    auto words = literal_arguments(simple);
    if (!words) {
        totals_.deferred++;
        simple.action = Deferred{
            .tool = tool, .traits = environment_.traits(tool), .filter = {}, .netns = netns_};
        return true;
    }
    if (tool == Tool::ip)
        if (const auto inner = tool_in_netns(*words)) tool = *inner;
    TRY(add_command(simple, environment_.command(tool, *words)));
    return true;
}

Parsed<void> Grammar::add_command(Simple& simple, Parsed<Command> command) {
    if (!command) return std::unexpected(std::move(command.error()));
    if (!netns_.empty()) {
        if (command->enters_netns()) return declined("a network namespace within another");
        if (command->request.is<NetnsFile>())  // its mounts would vanish at the end of netns exec
            return declined(command->summary + " within netns exec");
        command->netns = netns_;
    }
    if (const char* refusal = command->netns.empty() ? nullptr : environment_.mount_refusal())
        return declined(std::string("-netns") + refusal);
    if (command->is.in_process && !environment_.in_process()) {
        return declined(command->summary + ": in the caller's own process only");
    }
    totals_.endless = totals_.endless || command->is.endless;
    if (!command->needs_netlink_alone()) needs_more(command->summary);
    totals_.shows_routes = totals_.shows_routes || command->request.is<RouteShow>();
    totals_.changes += command->is.read_only ? 0 : 1;
    totals_.shows += command->is.read_only || command->options.echo ? 1 : 0;
    simple.action = *std::move(command);
    return {};
}

Parsed<bool> Grammar::resolve_filter(Simple& simple, std::string_view base, bool has_input) {
    if (!has_input) return declined(std::string(base) + ": reads the caller's input");
    if (base == "sort" && !environment_.c_collation())
        return declined("sort: depends on the locale");
    auto words = literal_arguments(simple);
    if (!words) {
        totals_.deferred++;
        simple.action = Deferred{.tool = std::nullopt, .traits = {}, .filter = std::string(base)};
        return true;
    }
    auto filter = TRY(parse_filter(base, *words));
    // Device names may have any bytes. If such a name appears, the line falls back, which is
    // impossible after a change.
    const bool utf8 = environment_.charset() == Charset::utf8 && !sets_characters(simple);
    if (utf8 && totals_.changes > 0 && depends_on_charset(filter))
        return declined(std::string(base) + " after a change: depends on the locale");
    // grep -P may give up on a line, and then needs the fallback.
    if (totals_.changes > 0 && is_perl(filter)) return declined("grep -P after a change");
    simple.action = std::move(filter);
    return true;
}

std::optional<Dialect> Grammar::shell(std::string_view name) const {
    const std::string_view base = base_name(name);
    const bool is_bash = base == "bash";
    if (!is_bash && base != "sh" && base != "dash") return {};
    if (!environment_.utility(name, base)) return {};
    return is_bash ? Dialect::bash : Dialect::dash;
}

Parsed<void> Grammar::nested_script(Node& node, std::string name, Dialect dialect, Words words,
                                    const std::string& netns) {
    Simple& simple = std::get<Simple>(node.kind);
    if (!simple.assignments.empty()) return declined("assignment before a command");
    if (words.size() != 2 || words[0] != "-c")
        return declined("shell with other arguments than -c TEXT");
    const std::string& text = words[1];
    if (text.find('\0') != std::string::npos) return declined("NUL byte");
    if (totals_.depth > max_depth) return declined("nested too deeply");
    if (std::ranges::any_of(simple.redirections, &Redirection::writes_file))
        return declined("redirection of a shell to a file");
    totals_.commands--;  // the shell itself isn't a command of its own
    Grammar inner(text, dialect, name, environment_, totals_);
    inner.enter(netns);
    auto body = TRY(inner.script());
    node.kind = Compound{Compound::Kind::script,
                         std::move(body),
                         std::move(simple.redirections),
                         dialect,
                         std::move(name),
                         netns};
    return {};
}

}  // namespace nlsh
