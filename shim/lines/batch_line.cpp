// Runs a line that is a batch in this process.
#include <memory>
#include <string>
#include <variant>

#include "shim/batch/fed.h"
#include "shim/engine/tools.h"
#include "shim/lines/line.h"
#include "shim/lines/tool.h"
#include "shim/process/quote.h"

namespace nlsh {
namespace {

// A real batch begins to run while a program still writes the lines, and its first lines might
// change what the program writes. So run only text that the shell itself makes, or output of one
// write.
constexpr size_t written_at_once = 4096;
constexpr size_t text_max = size_t{1} << 20;

bool is_text_of_shell(const Node& node) {
    const auto* simple = std::get_if<Simple>(&node.kind);
    return simple != nullptr && std::holds_alternative<Builtin>(simple->action);
}

// The pipeline to `cat`, if the whole line is one: no list, and no comment that hides `| cat`.
const Pipeline* pipeline_to_cat(const List& body) {
    if (body.items.size() != 1) return nullptr;
    if (const auto* script = std::get_if<Compound>(&body.items[0].kind))
        return script->kind == Compound::Kind::script ? pipeline_to_cat(script->body) : nullptr;
    const auto* pipeline = std::get_if<Pipeline>(&body.items[0].kind);
    if (pipeline == nullptr || pipeline->negated || pipeline->stages.size() < 2) return nullptr;
    const auto* last = std::get_if<Simple>(&pipeline->stages.back().kind);
    const bool cat = last != nullptr && std::holds_alternative<Filter>(last->action) &&
                     last->words.size() == 1 && last->redirections.empty();
    return cat ? pipeline : nullptr;
}

}  // namespace

std::optional<std::string> LineRunner::output_of(const std::string& program,
                                                 const std::string& shell) {
    const std::string line = shell.empty() ? program : shell + " -c " + shell_quoted(program);
    const auto prepared = engine_.prepare(line, caller_);
    if (!prepared || !(*prepared)->program.read_only || (*prepared)->program.endless) return {};
    const Pipeline* pipeline = pipeline_to_cat((*prepared)->program.body);
    if (pipeline == nullptr) return {};
    StringOutput out, err;
    const auto evaluation = Engine::run(**prepared, session_, out, err, files_);
    const size_t most = is_text_of_shell(pipeline->stages[0]) && pipeline->stages.size() == 2
                            ? text_max
                            : written_at_once;
    if (!evaluation || !err.text.empty() || out.text.size() > most) return {};
    return std::move(out.text);
}

std::optional<int> LineRunner::run_batch(std::string_view line, bool last) {
    if (!disabled_reason().empty() || !refusal_.empty() || !caller_.unsupported.empty()) return {};
    const auto batch = fed_batch(line);
    if (!batch) return {};
    const auto references = std::make_shared<References>();
    ToolFinder finder(caller_.path, {}, references);
    const auto tool = finder.tool(batch->words[0]);
    const bool shell = batch->shell.empty() || engine_.prepare(batch->shell + " -c :", caller_);
    if (!tool || !shell) return {};
    const Words options = Words(batch->words).subspan(1);
    const auto invocation = parse_invocation(*tool, options, references->traits(*tool));
    if (!invocation || invocation->batch == 0) return {};
    using Feed = FedBatch::Feed;
    // The lines of this script may come from the same standard input as the batch.
    if (batch->feed == Feed::own && !last && options[invocation->batch] == "-") return {};
    std::optional<BatchSource> input;
    if (batch->feed == Feed::file) input = BatchSource::open(batch->from);
    if (batch->feed == Feed::text) input = BatchSource::of_text(batch->from);
    if (batch->feed == Feed::program)
        if (auto text = output_of(batch->from, batch->shell))
            input = BatchSource::of_text(std::move(*text));
    if (batch->feed != Feed::own && !input) return {};
    const auto start = Trace::Clock::now();
    const auto result =
        run_tool(*tool, batch->words[0].c_str(), options, *references, std::move(input));
    if (!result) return {};
    trace_.tool(function_, line, result->status, result->fallback, start);
    return result->status;
}

}  // namespace nlsh
