// What a caller's words mean: which tools and files they name, and the caller's locale and rights.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/program.h"
#include "shim/engine/engine.h"
#include "shim/engine/tools.h"
#include "shim/files/system_files.h"

namespace nlsh {

// The PATH to search: the caller's, or the default one.
std::string looked_along(const CallerEnvironment& caller);
bool may_look_at(std::string_view word, const CallerEnvironment& caller);

class Environment final : public ProgramEnvironment {
  public:
    Environment(ToolFinder& tools, SystemFiles& files, const NameTables& names,
                const CallerEnvironment& caller)
        : tools_(tools), files_(files), names_(names), caller_(caller) {}

    std::optional<Tool> tool(std::string_view word) const override;
    Traits traits(Tool tool) const override { return tools_.traits(tool); }
    std::string other_version(std::string_view word) const override;
    bool utility(std::string_view word, std::string_view base) const override;
    bool says_base_name(std::string_view word) const override {
        return tools_.says_base_name(word);
    }
    const NameTables& names() const override { return names_; }
    LinkKinds kinds() const override;
    bool c_collation() const override { return caller_.plain_locale; }
    Charset charset() const override;
    Parsed<Command> command(Tool tool, Words words) const override;
    bool in_process() const override { return caller_.any_file; }
    const char* mount_refusal() const override;
    bool writable(std::string_view path) const override;

  private:
    ToolFinder& tools_;
    SystemFiles& files_;
    const NameTables& names_;
    const CallerEnvironment& caller_;
};

}  // namespace nlsh
