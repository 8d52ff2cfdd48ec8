// Parses any bytes as a shell line, and describes the program. The first byte chooses the dialect.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parser/program.h"
#include "parser/shell/describe.h"

namespace nlsh {
namespace {

// Every program is installed and every path is writable, so that the parser declines little.
class Machine final : public ProgramEnvironment {
  public:
    std::optional<Tool> tool(std::string_view word) const override {
        if (word == "ip" || word == "/sbin/ip") return Tool::ip;
        if (word == "bridge" || word == "/sbin/bridge") return Tool::bridge;
        return std::nullopt;
    }
    bool utility(std::string_view word, std::string_view base) const override {
        return word.ends_with(base);
    }
    const NameTables& names() const override { return names_; }
    bool writable(std::string_view) const override { return true; }
    bool c_collation() const override { return true; }

  private:
    NameTables names_ = NameTables::built_in();
};

}  // namespace
}  // namespace nlsh

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    static const Machine machine;
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Dialect dialect = (data[0] & 1) != 0 ? Dialect::bash : Dialect::dash;
    if (const auto program = parse_program(text, dialect, machine)) (void)describe(*program);
    return 0;
}
