#include "shim/stats/command_names.h"

#include "parser/ip/traits/proof.h"

namespace nlsh {
namespace {

// Calls `each` for every simple command that has words, also for commands inside words.
template <typename Each>
class Walk {
  public:
    explicit Walk(Each each) : each_(each) {}

    void list(const List& list) {
        for (const Node& item : list.items)
            node(item);
    }

  private:
    void node(const Node& node) {
        std::visit([this](const auto& kind) { this->visit(kind); }, node.kind);
    }
    void visit(const Simple& simple) {
        for (const Assignment& assignment : simple.assignments)
            word(assignment.value);
        for (const Word& each : simple.words)
            word(each);
        if (!simple.words.empty()) each_(simple);
    }
    void visit(const AndOr& and_or) {
        for (const Node& item : and_or.items)
            node(item);
    }
    void visit(const Pipeline& pipeline) {
        for (const Node& stage : pipeline.stages)
            node(stage);
    }
    void visit(const Compound& compound) { list(compound.body); }
    void visit(const Loop& loop) {
        for (const auto& body : loop.bodies)
            list(body);
    }
    void visit(const If& clause) {
        for (const If::Branch& branch : clause.branches) {
            list(branch.condition);
            list(branch.body);
        }
        if (clause.otherwise) list(*clause.otherwise);
    }
    void word(const Word& word) {
        for (const Part& part : word.parts) {
            if (part.body) list(*part.body);
        }
    }

    Each each_;
};

std::string tool_name(Tool tool) {
    return tool == Tool::ip ? "ip " : "bridge ";
}

struct Name {
    std::string operator()(const Command& command) const {
        return tool_name(command.options.tool) + command.summary;
    }
    std::string operator()(const Deferred& deferred) const {
        if (!deferred.tool) return "filter";
        return tool_name(*deferred.tool) + "(words known when it runs)";
    }
    std::string operator()(const Filter&) const { return "filter"; }
    std::string operator()(const Sysctl&) const { return "sysctl"; }
    std::string operator()(const auto&) const { return "builtin"; }
};

}  // namespace

std::vector<std::string> command_names(const Program& program) {
    std::vector<std::string> names;
    Walk walk([&](const Simple& simple) { names.push_back(std::visit(Name{}, simple.action)); });
    walk.list(program.body);
    return names;
}

std::vector<ProvenCommand> proven_commands(const Program& program) {
    std::vector<ProvenCommand> commands;
    Walk walk([&](const Simple& simple) {
        const auto* command = std::get_if<Command>(&simple.action);
        const Proof* proof = command == nullptr ? nullptr : command->options.traits.proof();
        if (proof == nullptr || proof->file().empty()) return;
        commands.push_back(
            {std::string(proof->file()), scope_of(command->options, command->summary)});
    });
    walk.list(program.body);
    return commands;
}

}  // namespace nlsh
