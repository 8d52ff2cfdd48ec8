#include "parser/shell/describe.h"

#include <fmt/format.h>

namespace nlsh {
namespace {

std::string redirection_text(const Redirection& redirection) {
    std::string text = redirection.from_out && redirection.from_err ? "&"
                       : redirection.from_err                       ? "2"
                                                                    : "";
    if (redirection.kind == Redirection::Kind::duplicate)
        return text + (redirection.to_err ? ">&2" : ">&1");
    return text + (redirection.kind == Redirection::Kind::append ? ">>" : ">") + redirection.path;
}

std::string simple_text(const Simple& simple) {
    std::string text;
    auto add = [&](std::string_view word) { text.append(text.empty() ? "" : " ").append(word); };
    for (const auto& assignment : simple.assignments)
        add(assignment.name + "=" + assignment.value.source);
    for (const auto& word : simple.words)
        add(word.source);
    for (const auto& redirection : simple.redirections)
        add(redirection_text(redirection));
    return text;
}

struct Meaning {
    std::string operator()(std::monostate) const { return "assignment"; }
    std::string operator()(const Command& command) const {
        return fmt::format("{} {}", command.options.tool == Tool::ip ? "ip" : "bridge",
                           command.summary);
    }
    std::string operator()(const Builtin& builtin) const {
        return builtin.flavour == Flavour::program ? "built in, as the program"
               : builtin.flavour == Flavour::bash  ? "built in, as bash's"
                                                   : "built in, as dash's";
    }
    std::string operator()(const Filter&) const { return "filter"; }
    std::string operator()(const Sysctl&) const { return "sysctl"; }
    std::string operator()(const Brctl&) const { return "brctl"; }
    std::string operator()(const Condition&) const { return "built in, as bash's"; }
    std::string operator()(const Deferred&) const { return "parsed when it runs"; }
};

class Describer {
  public:
    std::vector<DescribedLine> lines;

    void list(const List& list) {
        for (const auto& item : list.items)
            node(item);
    }
    void node(const Node& node) {
        std::visit([this](const auto& each) { visit(each); }, node.kind);
    }

  private:
    void structure(std::string text) { lines.push_back({depth_, 0, std::move(text), {}}); }
    void nested(const List& inner) {
        depth_++;
        list(inner);
        depth_--;
    }
    void nested(const Node& inner) {
        depth_++;
        node(inner);
        depth_--;
    }

    void visit(const Simple& simple) {
        lines.push_back(
            {depth_, simple.position, simple_text(simple), std::visit(Meaning{}, simple.action)});
        for (const auto& assignment : simple.assignments)
            substitutions(assignment.value);
        for (const auto& word : simple.words)
            substitutions(word);
    }
    void substitutions(const Word& word) {
        for (const auto& part : word.parts) {
            if (part.body) nested(*part.body);
        }
    }
    void visit(const AndOr& and_or) {
        node(and_or.items[0]);
        for (size_t i = 1; i < and_or.items.size(); i++) {
            structure(and_or.and_[i - 1] ? "&&" : "||");
            node(and_or.items[i]);
        }
    }
    void visit(const Pipeline& pipeline) {
        structure(pipeline.negated ? "! pipeline" : "pipeline");
        for (const auto& stage : pipeline.stages)
            nested(stage);
    }
    void visit(const Compound& compound) {
        using Kind = Compound::Kind;
        std::string text = compound.kind == Kind::group      ? "group"
                           : compound.kind == Kind::subshell ? "subshell"
                                                             : compound.name + " -c";
        for (const auto& redirection : compound.redirections)
            text += " " + redirection_text(redirection);
        structure(std::move(text));
        nested(compound.body);
    }
    void visit(const Loop& loop) {
        const bool reads = loop.kind == Loop::Kind::while_read;
        std::string text = reads ? "while read" : "for";
        for (const auto& name : loop.names)
            text += " " + name;
        for (const auto& word : loop.words)
            text += (&word == loop.words.data() ? " in " : " ") + word.source;
        structure(std::move(text));
        for (const auto& body : loop.bodies)
            nested(body);
        structure("done");
    }
    void visit(const If& clause) {
        for (size_t i = 0; i < clause.branches.size(); i++) {
            structure(i == 0 ? "if" : "elif");
            nested(clause.branches[i].condition);
            structure("then");
            nested(clause.branches[i].body);
        }
        if (clause.otherwise) {
            structure("else");
            nested(*clause.otherwise);
        }
        structure("fi");
    }

    int depth_ = 0;
};

}  // namespace

std::vector<DescribedLine> describe(const Program& program) {
    Describer describer;
    describer.list(program.body);
    return std::move(describer.lines);
}

}  // namespace nlsh
