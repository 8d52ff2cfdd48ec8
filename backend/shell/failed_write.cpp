// Failed writes: each command has its own message and status.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "backend/shell/evaluator.h"
#include "parser/text.h"

namespace nlsh {
namespace {

constexpr int killed = 128 + SIGPIPE;

// For programs. {0}: the name as called, {1}: strerror.
struct Complaint {
    std::string_view program;
    int status;
    fmt::string_view text;
};
constexpr Complaint complaints[] = {
    {"grep", 2, "{0}: write error: {1}\n"},
    {"sed", 4, "{0}: couldn't flush stdout: {1}\n"},
    {"awk", 2, "{0}: close failed on file /dev/stdout ({1})\n"},
    {"sort", 2, "{0}: fflush failed: 'standard output': {1}\n{0}: write error\n"},
    {"wc", 1, "{0}: write error\n"}};
constexpr Complaint of_coreutils = {"", 1, "{0}: write error: {1}\n"};

int complain(const std::string& name, int error, Context& context) {
    const auto* known = std::ranges::find(complaints, base_name(name), &Complaint::program);
    const Complaint& complaint = known == std::end(complaints) ? of_coreutils : *known;
    context.err->write(fmt::format(fmt::runtime(complaint.text), name, strerror(error)));
    return complaint.status;
}

bool prints(const Node& node);

bool prints(const List& list) {
    return std::ranges::any_of(list.items, [](const Node& each) { return prints(each); });
}

bool prints(const Simple& simple) {
    if (const auto* command = std::get_if<Command>(&simple.action))
        return command->is.read_only || command->options.echo;
    if (const auto* builtin = std::get_if<Builtin>(&simple.action))
        return builtin->kind == BuiltinKind::echo || builtin->kind == BuiltinKind::printf;
    return !std::holds_alternative<std::monostate>(simple.action) &&
           !std::holds_alternative<Condition>(simple.action) &&
           !std::holds_alternative<Brctl>(simple.action);
}

bool prints(const AndOr& and_or) {
    return std::ranges::any_of(and_or.items, [](const Node& each) { return prints(each); });
}

bool prints(const Pipeline& pipeline) {
    return prints(pipeline.stages.back());
}

bool prints(const Compound& compound) {
    return prints(compound.body);
}

bool prints(const Loop& loop) {
    return std::ranges::any_of(loop.bodies, [](const List& body) { return prints(body); });
}

bool prints(const If& clause) {
    return (clause.otherwise && prints(*clause.otherwise)) ||
           std::ranges::any_of(clause.branches, [](const If::Branch& branch) {
               return prints(branch.condition) || prints(branch.body);
           });
}

bool prints(const Node& node) {
    return std::visit([](const auto& each) { return prints(each); }, node.kind);
}

}  // namespace

bool may_print(const List& list) {
    return prints(list);
}

std::string write_error(Flavour flavour, const std::string& prefix, const std::string& name,
                        int error) {
    if (flavour == Flavour::dash) return fmt::format("{}{}: {}: I/O error\n", prefix, name, name);
    return fmt::format("{}{}: write error: {}\n", flavour == Flavour::bash ? prefix : "", name,
                       strerror(error));
}

int write_failed(const FailedCommand& failed, Shell& shell, Context& context) {
    const auto* builtin = std::get_if<Builtin>(&failed.simple.action);
    const bool of_shell = builtin != nullptr && builtin->flavour != Flavour::program;
    if (failed.out.killed || failed.err.killed) {
        shell.exited = shell.killed = of_shell;
        return killed;
    }
    const int error = failed.out.error;
    if (error == 0 || failed.words.empty()) return failed.status;
    const std::string& name = failed.words[0];
    if (!of_shell) {
        const auto* late = std::get_if<Deferred>(&failed.simple.action);
        const bool tool = std::holds_alternative<Command>(failed.simple.action) ||
                          (late != nullptr && late->tool.has_value());
        const bool silent =
            tool || (std::holds_alternative<Sysctl>(failed.simple.action) && error == EPIPE);
        return silent ? failed.status : complain(name, error, context);
    }
    context.err->write(
        write_error(builtin->flavour, error_prefix(shell, failed.simple.line), name, error));
    return 1;
}

}  // namespace nlsh
