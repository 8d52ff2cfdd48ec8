#include "backend/shell/evaluate.h"
#include "parser/ip/refusal.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "backend/filter/filter.h"
#include "backend/filter/regex.h"
#include "backend/shell/evaluator.h"

namespace nlsh {
namespace {

// grep, similar filters and shell builtins, whose nonzero status may be just an answer.
bool is_condition(const Simple& simple) {
    const auto* late = std::get_if<Deferred>(&simple.action);
    return std::holds_alternative<Filter>(simple.action) ||
           std::holds_alternative<Condition>(simple.action) ||
           std::holds_alternative<Builtin>(simple.action) || (late != nullptr && !late->tool);
}

}  // namespace

std::string error_prefix(const Shell& shell, int line) {
    return shell.dialect == Dialect::dash ? fmt::format("{}: {}: ", shell.name, line)
                                          : fmt::format("{}: line {}: ", shell.name, line);
}

int Evaluator::list(const List& list, Shell& shell) {
    for (const auto& item : list.items) {
        shell.status = node(item, shell, {});
        if (stopped(shell)) break;
    }
    return shell.status;
}

int Evaluator::node(const Node& node, Shell& shell, std::string_view input) {
    return std::visit([&](const auto& each) { return visit(each, shell, input); }, node.kind);
}

int Evaluator::visit(const AndOr& and_or, Shell& shell, std::string_view) {
    shell.status = node(and_or.items[0], shell, {});
    for (size_t i = 1; i < and_or.items.size() && !stopped(shell); i++) {
        if (and_or.and_[i - 1] == (shell.status == 0))
            shell.status = node(and_or.items[i], shell, {});
    }
    return shell.status;
}

int Evaluator::visit(const Pipeline& pipeline, Shell& shell, std::string_view) {
    if (pipeline.stages.size() == 1) {
        int status = node(pipeline.stages[0], shell, {});
        // After `! exit 3` the shell's status is 3.
        return pipeline.negated && !shell.exited ? status == 0 : status;
    }
    std::string input;
    int status = 0;
    for (size_t i = 0; i < pipeline.stages.size(); i++) {
        StreamScope scope(context_);
        StringOutput pipe;
        if (i + 1 < pipeline.stages.size()) context_.out = &pipe;
        Shell stage = shell;
        status = node(pipeline.stages[i], stage, input);
        if (context_.fallback) return status;
        input = std::move(pipe.text);
    }
    return pipeline.negated ? status == 0 : status;
}

int Evaluator::visit(const Compound& compound, Shell& shell, std::string_view) {
    StreamScope scope(context_);
    redirect(compound.redirections, scope, shell, 0);
    if (compound.kind == Compound::Kind::group) return list(compound.body, shell);
    if (!compound.netns.empty())
        if (const auto refused = runner_.refuses_netns(compound.netns)) {
            if (!refused->reason.empty()) context_.fall_back(refused->reason);
            if (!context_.fallback) context_.err->write(refused->message);
            return 255;
        }
    Shell inner = compound.kind == Compound::Kind::subshell
                      ? shell
                      : Shell{compound.dialect, compound.name, {}};
    return list(compound.body, inner);
}

int Evaluator::visit(const If& clause, Shell& shell, std::string_view) {
    StreamScope scope(context_);
    redirect(clause.redirections, scope, shell, 0);
    for (const auto& branch : clause.branches) {
        int status = list(branch.condition, shell);
        if (stopped(shell)) return status;
        if (status == 0) return list(branch.body, shell);
    }
    if (clause.otherwise) return list(*clause.otherwise, shell);
    return 0;
}

int Evaluator::assign(const Simple& simple, Shell& shell) {
    substitution_status_ = 0;
    for (const auto& assignment : simple.assignments)
        shell.variables[assignment.name] = expand_unsplit(assignment.value, shell);
    return substitution_status_;
}

int Evaluator::visit(const Simple& simple, Shell& shell, std::string_view input) {
    line_ = simple.line;
    if (simple.words.empty()) return assign(simple, shell);
    std::vector<std::string> words;
    const bool parsed = std::holds_alternative<Command>(simple.action) ||
                        std::holds_alternative<Filter>(simple.action);
    if (!parsed) words = expand(simple.words, shell);
    if (context_.fallback) return 1;
    StreamScope scope(context_);
    FirstLine watched(*context_.err);
    context_.err = &watched;
    context_.refusal = {};
    int status = shell.dialect == Dialect::dash ? 2 : 1;
    if (redirect(simple.redirections, scope, shell, simple.line))
        status = act(simple, shell, words, input);
    status = written(simple, words, status, shell);
    if (status != 0 && !shell.exited) {
        std::string text;
        for (const auto& word : simple.words)
            text.append(text.empty() ? "" : " ").append(word.source);
        const bool no = status == 1 && watched.line.empty() && is_condition(simple);
        failures.push_back({simple.position, std::move(text), status, std::move(watched.line),
                            std::move(context_.refusal), no});
    }
    return status;
}

void Evaluator::before_change() {
    if (program_.commands > 1 && !context_.committed && may_print(program_.body))
        hold_.expect_output();
}

int Evaluator::written(const Simple& simple, const std::vector<std::string>& words, int status,
                       Shell& shell) {
    hold_.settle(simple.position < program_.commands || repeating_ > 0);
    if (context_.fallback) return status;
    WriteFailure out = hold_.out.take_failure();
    const WriteFailure err = hold_.err.take_failure();
    if (!out && (context_.out == context_.err || context_.out == &hold_.err)) out = err;
    // For output to a file, builtins have already reported the failure.
    if (!out && !std::holds_alternative<Builtin>(simple.action)) out = {context_.out->error()};
    if (!out && !err) return status;
    std::vector<std::string> names = words;
    if (names.empty() && !simple.words.empty()) names = {simple.words[0].literal().value_or("")};
    return write_failed({simple, names, status, out, err}, shell, context_);
}

int Evaluator::act(const Simple& simple, Shell& shell, const std::vector<std::string>& words,
                   std::string_view input) {
    if (const auto* command = std::get_if<Command>(&simple.action)) {
        if (!command->is.read_only) before_change();
        return context_.fallback ? 1 : runner_.run(context_, *command);
    }
    if (const auto* each = std::get_if<Condition>(&simple.action)) return condition(*each, shell);
    if (const auto* builtin = std::get_if<Builtin>(&simple.action))
        return run_builtin({*builtin, simple.line, words}, shell, context_, files_);
    if (const auto* each = std::get_if<Filter>(&simple.action)) return filter(*each, input);
    if (std::holds_alternative<Sysctl>(simple.action) ||
        std::holds_alternative<Brctl>(simple.action))
        before_change();
    if (context_.fallback) return 1;
    if (const auto* sysctl = std::get_if<Sysctl>(&simple.action))
        return run_sysctl(*sysctl, context_, files_);
    if (const auto* brctl = std::get_if<Brctl>(&simple.action)) return run_brctl(*brctl, context_);
    if (const auto* late = std::get_if<Deferred>(&simple.action))
        return deferred(*late, Words(words).subspan(1), input);
    return 0;
}

int Evaluator::deferred(const Deferred& deferred, Words arguments, std::string_view input) {
    if (deferred.tool) {
        auto command = runner_.parse(*deferred.tool, arguments, context_.names, deferred.traits);
        const bool plain =
            command && command->is.read_only && !command->enters_netns() && !command->is.in_process;
        if (plain) command->netns = deferred.netns;
        if (plain) return runner_.run(context_, *command);
        context_.fall_back(command ? "expansion made a command that isn't a mere show"
                                   : command.error().reason);
        return 1;
    }
    auto parsed = parse_filter(deferred.filter, arguments);
    if (parsed) return filter(*parsed, input);
    context_.fall_back(parsed.error().reason);
    return 1;
}

int Evaluator::condition(const Condition& condition, Shell& shell) {
    using Kind = Condition::Kind;
    const std::string left = expand_unsplit(condition.left, shell);
    bool holds = !left.empty();
    if (condition.kind == Kind::equal) {
        holds = left == expand_unsplit(condition.right, shell);
    } else if (condition.kind != Kind::not_empty) {
        if (!is_plain_text(left) &&
            context_.fall_back("[[: bytes whose meaning depends on the locale"))
            return 1;
        holds = Regex(condition.regex, condition.kind == Kind::whole_pattern).matches(left);
    }
    return holds != condition.negated ? 0 : 1;
}

int Evaluator::filter(const Filter& filter, std::string_view input) {
    if (!is_plain_text(input) &&
        context_.fall_back("filter: bytes whose meaning depends on the locale"))
        return 1;
    const int status = run_filter(filter, input, *context_.out);
    if (status == gave_up) context_.fall_back("grep -P: too many steps");
    return status;
}

bool Evaluator::redirect(const Redirections& redirections, StreamScope& scope, const Shell& shell,
                         int line) {
    for (const auto& each : redirections) {
        Output* target = &null_;
        if (each.kind == Redirection::Kind::duplicate) {
            target = each.to_err ? context_.err : context_.out;
        } else if (!each.discards()) {
            before_change();
            if (context_.fallback) return false;
            context_.commit();
            auto file = files_.open(each.path, each.kind == Redirection::Kind::append);
            if (!file) {
                bool dash = shell.dialect == Dialect::dash;
                bool missing = file.error() == ENOENT || file.error() == ENOTDIR;
                std::string_view text =
                    dash && missing ? "Directory nonexistent" : strerror(file.error());
                context_.err->write(fmt::format("{}{}{}: {}\n", error_prefix(shell, line),
                                                dash ? "cannot create " : "", each.path, text));
                return false;
            }
            target = scope.keep(std::move(*file));
        }
        if (each.from_out) context_.out = target;
        if (each.from_err) context_.err = target;
    }
    return true;
}

std::expected<Evaluation, Decline> evaluate(const Program& program, Context& context, Sink& out,
                                            Sink& err, Files& files, const Runner& runner) {
    StreamScope scope(context);
    Hold hold(context, out, err, !program.read_only);
    context.out = &hold.out;
    context.err = &hold.err;
    Evaluator evaluator(context, files, runner, hold, program);
    Shell shell{program.dialect, "sh", {}};
    int status = evaluator.list(program.body, shell);
    hold.settle(false);
    if (context.fallback && !context.committed) return std::unexpected(*context.fallback);
    return Evaluation{status, std::move(evaluator.failures), shell.killed ? SIGPIPE : 0};
}

}  // namespace nlsh
