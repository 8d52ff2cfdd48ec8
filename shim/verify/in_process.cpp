#include "shim/verify/in_process.h"

#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "backend/descriptor.h"
#include "shim/files/descriptor_output.h"
#include "shim/process/exit_status.h"
#include "shim/process/words.h"
#include "shim/verify/compare.h"
#include "shim/verify/out_of_use.h"

namespace nlsh {
namespace {

// Our environment, without the variables that would make a shim in PATH run natively.
std::vector<std::string> environment() {
    std::vector<std::string> variables = texts_of(environ);
    variables.emplace_back("NLSH_DISABLE=1");
    return variables;
}

void tell(std::string_view line, const Verification& verification) {
    const char* file = secure_getenv("NLSH_VERIFY_LOG");
    if (file != nullptr && *file != 0) {
        const Descriptor log(open_difference_log(file));
        return append_difference(log.get(), line, verification);
    }
    const bool numbers = verification.kind == Verification::Kind::numbers;
    syslog(LOG_DAEMON | (numbers ? LOG_INFO : LOG_WARNING), "nlsh: %s",
           describe_difference(line, verification).c_str());
}

}  // namespace

std::optional<int> verify_line(std::string_view line, const Prepared& prepared, Session& session,
                               Files& files) {
    const auto native = [&]() -> std::optional<Captured> {
        StringOutput out, err;
        const auto result = Engine::run(prepared, session, out, err, files);
        if (!result) return {};
        return Captured{std::move(out.text), std::move(err.text),
                        W_EXITCODE(result->status & 0xff, 0)};
    };
    const auto real = [&]() -> std::optional<Captured> {
        auto run = run_captured(
            {.line = std::string(line), .environment = environment(), .directory = {}});
        return run ? std::optional(std::move(*run)) : std::nullopt;
    };
    const auto verification = run_both(native, real);
    if (!verification) return {};
    if (verification->kind != Verification::Kind::same) tell(line, *verification);
    if (verification->kind == Verification::Kind::different)
        if (const std::string failure = put_out_of_use(proven_commands(prepared.program));
            !failure.empty())
            syslog(LOG_DAEMON | LOG_WARNING, "nlsh: verify: %s", failure.c_str());
    DescriptorOutput(STDOUT_FILENO).write(verification->real.output);
    DescriptorOutput(STDERR_FILENO).write(verification->real.error);
    const int status = verification->real.wait_status;
    return exit_status(status);
}

}  // namespace nlsh
