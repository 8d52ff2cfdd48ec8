#include "shim/stats/command_kinds.h"

namespace nlsh {
namespace {

// Calls `each` for every simple command that has words, also those inside words.
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

std::string_view tool_name(Tool tool) {
    return tool == Tool::ip ? "ip " : "bridge ";
}

// The two parts of a kind's name.
struct Name {
    using Parts = std::pair<std::string_view, std::string_view>;
    Parts operator()(const Command& command) const {
        return {tool_name(command.options.tool), command.summary};
    }
    Parts operator()(const Deferred& deferred) const {
        if (deferred.tool) return {tool_name(*deferred.tool), "(words known when it runs)"};
        return {"", "filter"};
    }
    Parts operator()(const Filter&) const { return {"", "filter"}; }
    Parts operator()(const Sysctl&) const { return {"", "sysctl"}; }
    Parts operator()(const auto&) const { return {"", "builtin"}; }
};

}  // namespace

// With the mutex held. Names of a fixed grammar: there are fewer than `max`, chain stands for more.
CommandKind CommandKinds::number(std::string_view tool, std::string_view what) {
    std::string name;
    name.append(tool).append(what);
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    if (names_.size() == max) return chain;
    const auto kind = static_cast<CommandKind>(names_.size());
    numbers_.emplace(name, kind);
    names_.push_back(std::move(name));
    return kind;
}

std::vector<CommandKind> CommandKinds::of(const Program& program) {
    std::vector<CommandKind> kinds;
    const std::lock_guard lock(mutex_);
    Walk walk([&](const Simple& simple) {
        const auto [tool, what] = std::visit(Name{}, simple.action);
        kinds.push_back(number(tool, what));
    });
    walk.list(program.body);
    return kinds;
}

std::vector<std::string> CommandKinds::names() const {
    const std::lock_guard lock(mutex_);
    return names_;
}

}  // namespace nlsh
