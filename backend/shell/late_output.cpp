#include "backend/shell/late_output.h"

#include <algorithm>

namespace nlsh {
namespace {

using Redirections = std::vector<Redirection>;

// If stdout isn't the caller's, no reader can delay the line.
bool hides_output(const Redirections& redirections) {
    return std::ranges::any_of(redirections, [](const Redirection& each) {
        return each.from_out && each.kind != Redirection::Kind::duplicate;
    });
}

bool is_known(const Word& word) {
    return word.literal().has_value();
}

bool changes(const Action& action) {
    if (const auto* command = std::get_if<Command>(&action)) return !command->is.read_only;
    return std::holds_alternative<Sysctl>(action) || std::holds_alternative<Brctl>(action);
}

bool shows_key(const Sysctl& sysctl) {
    return std::ranges::any_of(sysctl.settings,
                               [](const auto& setting) { return !setting.value.has_value(); });
}

// Whether the command's output is unbounded.
bool shows(const Simple& simple) {
    if (const auto* command = std::get_if<Command>(&simple.action))
        return command->is.read_only || command->options.echo;
    if (const auto* filter = std::get_if<Filter>(&simple.action)) {
        const auto* grep = std::get_if<Grep>(filter);
        return (grep == nullptr || !grep->quiet) && !std::holds_alternative<Wc>(*filter);
    }
    if (const auto* sysctl = std::get_if<Sysctl>(&simple.action)) return shows_key(*sysctl);
    if (std::holds_alternative<Builtin>(simple.action))
        return !std::ranges::all_of(simple.words, is_known);
    return std::holds_alternative<Deferred>(simple.action);
}

// Walks in the order of the text, which is the order of running.
class Walk {
  public:
    bool shows_late = false;

    // hidden: stdout isn't the caller's.
    void list(const List& list, bool hidden) {
        for (const Node& each : list.items)
            node(each, hidden);
    }

  private:
    void node(const Node& node, bool hidden) {
        std::visit([&](const auto& each) { visit(each, hidden); }, node.kind);
    }
    void visit(const AndOr& and_or, bool hidden) {
        for (const Node& each : and_or.items)
            node(each, hidden);
    }
    void visit(const Pipeline& pipeline, bool hidden) {
        for (const Node& each : pipeline.stages)
            node(each, hidden || &each != &pipeline.stages.back());
    }
    void visit(const Compound& compound, bool hidden) {
        redirect(compound.redirections, hidden);
        list(compound.body, hidden);
    }
    void visit(const If& clause, bool hidden) {
        redirect(clause.redirections, hidden);
        for (const If::Branch& branch : clause.branches) {
            list(branch.condition, hidden);
            list(branch.body, hidden);
        }
        if (clause.otherwise) list(*clause.otherwise, hidden);
    }
    // The number of rounds is unknown, so even short texts are unbounded.
    void visit(const Loop& loop, bool hidden) {
        for (const Word& each : loop.words)
            word(each);
        redirect(loop.redirections, hidden);
        for (const List& each : loop.bodies)
            list(each, hidden);
        shows_late = shows_late || (changed_ && loop.kind != Loop::Kind::for_known_words);
    }
    void visit(const Simple& simple, bool hidden) {
        for (const Assignment& each : simple.assignments)
            word(each.value);
        for (const Word& each : simple.words)
            word(each);
        redirect(simple.redirections, hidden);
        changed_ = changed_ || changes(simple.action);
        shows_late = shows_late || (changed_ && !hidden && shows(simple));
    }
    void word(const Word& word) {
        for (const Part& part : word.parts)
            if (part.body) list(*part.body, true);
    }
    void redirect(const Redirections& redirections, bool& hidden) {
        changed_ = changed_ || std::ranges::any_of(redirections, &Redirection::writes_file);
        hidden = hidden || hides_output(redirections);
    }

    bool changed_ = false;
};

}  // namespace

LateOutput late_output(const Program& program, size_t line) {
    constexpr size_t message = 256;  // of a failed command, without the words that it repeats
    if (program.read_only) return {};
    Walk walk;
    walk.list(program.body, false);
    return {walk.shows_late, static_cast<size_t>(program.commands) * message + 2 * line};
}

}  // namespace nlsh
