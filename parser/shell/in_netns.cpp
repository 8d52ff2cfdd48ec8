// Commands that run in another network namespace: `ip netns exec`, `nsenter`.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/ip/traits/proof.h"
#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {
namespace {

bool is_netns_name(std::string_view name) {
    return !name.empty() && !name.starts_with('.') && !name.starts_with('-') && !name.contains('/');
}

bool is_process(std::string_view text) {
    return !text.empty() && text.size() <= 9 && text[0] != '0' &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Whether the file is in a folder whose files the server may open, as for -netns.
bool is_named(std::string_view file) {
    for (const std::string_view folder : {"/run/netns/", "/var/run/netns/"})
        if (file.starts_with(folder)) return is_netns_name(file.substr(folder.size()));
    return false;
}

// The options of nsenter that concern the network namespace alone.
struct Entry {
    std::string file, process;
    bool net = false;
    size_t command = 0;  // the place of the program's name
};

Parsed<Entry> parse_entry(Words words) {
    Entry entry;
    size_t& at = entry.command;
    for (; at < words.size() && words[at].starts_with('-'); at++) {
        const std::string& word = words[at];
        if (word == "-n" || word == "--net") {
            entry.net = true;
        } else if (word.starts_with("--net=")) {
            entry.file = word.substr(6);
        } else if (word.starts_with("-n/")) {
            entry.file = word.substr(2);
        } else if ((word == "-t" || word == "--target") && at + 1 < words.size()) {
            entry.process = words[++at];
        } else if (word.starts_with("--target=")) {
            entry.process = word.substr(9);
        } else {
            return declined("nsenter: option " + word);
        }
    }
    return entry;
}

}  // namespace

// `ip netns exec NAME ip …` enters NAME as `ip -netns NAME …` does, with the same mounts and
// errors.
std::optional<Tool> Grammar::tool_in_netns(std::vector<std::string>& words) const {
    enum { object, verb, name, program, arguments };
    if (words.size() <= arguments || words[object] != "netns" || words[verb] != "exec") return {};
    const auto tool = environment_.tool(words[program]);
    if (!tool) return {};
    words[program] = std::exchange(words[name], {});
    words[name] = "-netns";
    words.erase(words.begin(), words.begin() + name);
    return tool;
}

Parsed<bool> Grammar::script_in_netns(Node& node) {
    Simple& simple = std::get<Simple>(node.kind);
    enum { object, verb, name, program, option, text };
    if (simple.words.size() != text + 2 || simple.words[1 + object].literal() != "netns")
        return false;
    const auto words = literal_arguments(simple);
    if (!words || (*words)[verb] != "exec") return false;
    if (environment_.tool(simple.words[0].literal().value_or("")) != Tool::ip) return false;
    const auto dialect = shell((*words)[program]);
    if (!dialect) return false;
    if (!is_netns_name((*words)[name])) return declined("netns exec: name");
    if (!netns_.empty()) return declined("a network namespace within another");
    if (const char* refusal = environment_.mount_refusal())
        return declined(std::string("netns exec") + refusal);
    const Proof* proof = environment_.traits(Tool::ip).proof();
    if (proof != nullptr && !proof->enters_namespaces())
        return declined("netns exec isn't proven of this iproute2");
    needs_more("netns exec");
    TRY(nested_script(node, (*words)[program], *dialect, Words(*words).subspan(option),
                      (*words)[name]));
    return true;
}

Parsed<void> Grammar::resolve_nsenter(Simple& simple) {
    const auto words = literal_arguments(simple);
    if (!words) return declined("nsenter: words aren't literal");
    if (!netns_.empty()) return declined("a network namespace within another");
    auto entry = TRY(parse_entry(*words));
    if (!entry.process.empty() && entry.net && entry.file.empty() && is_process(entry.process)) {
        if (!environment_.in_process()) return declined("nsenter of a process");
        entry.file = "/proc/" + entry.process + "/ns/net";
    } else if (!is_named(entry.file) || entry.net || !entry.process.empty()) {
        return declined("nsenter: namespace");
    }
    if (entry.command >= words->size()) return declined("nsenter without a command");
    const auto tool = environment_.tool((*words)[entry.command]);
    if (!tool) return declined("nsenter: command " + (*words)[entry.command]);
    // If the caller can't enter, nsenter prints an error that nlsh doesn't know: the line must
    // still be able to fall back.
    if (totals_.changes > 0 || !totals_.written_files.empty())
        return declined("nsenter after a change");
    auto command = environment_.command(*tool, Words(*words).subspan(entry.command + 1));
    // nsenter leaves the old namespace's /sys mounted.
    if (command && (command->enters_netns() || !command->needs_netlink_alone()))
        return declined("nsenter: " + command->summary);
    if (command) command->netns_file = std::move(entry.file);
    return add_command(simple, std::move(command));
}

// Declines commands of a namespace's script that nlsh would run in the old namespace.
Parsed<void> Grammar::check_in_netns(const Simple& simple) const {
    if (std::ranges::any_of(simple.redirections, &Redirection::writes_file))
        return declined("redirection within netns exec");
    if (std::holds_alternative<Sysctl>(simple.action) ||
        std::holds_alternative<Brctl>(simple.action))
        return declined("files of the kernel within netns exec");
    return {};
}

}  // namespace nlsh
