#include "shim/lines/environment.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "backend/descriptor.h"
#include "shim/log/message.h"
#include "shim/verify/compare.h"

namespace nlsh {
namespace {

// What is wrong with the file; empty: nothing.
std::string file_to_append_to(const char* value) {
    const Descriptor file(open(value, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
    return file ? "" : strerror(errno);
}

std::string share(const char* value) {
    return verify_rate(value) ? "" : "not a share from 0 to 1: nothing is verified";
}

std::string engine(const char* value) {
    const std::string_view name = value;
    return name == "inproc" || name == "server" ? "" : "not inproc or server: the server answers";
}

struct Variable {
    const char* name;
    std::string (*fault)(const char* value);
};
constexpr std::array<Variable, 4> variables{{
    {"NLSH_TRACE", file_to_append_to},
    {"NLSH_VERIFY", share},
    {"NLSH_VERIFY_LOG", file_to_append_to},
    {"NLSH_ENGINE", engine},
}};

}  // namespace

void complain_of_environment() {
    for (const auto& [name, fault] : variables) {
        const char* value = getenv(name);
        if (value == nullptr || *value == 0) continue;
        const std::string text = fault(value);
        if (text.empty()) continue;
        say("nlsh: {}={}: {}\n", name, value, text);
    }
}

}  // namespace nlsh
