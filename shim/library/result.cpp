#include "shim/library/result.h"

#include <memory>
#include <vector>

namespace nlsh {
namespace {

// The members point into the outcome. The program sees `shown`.
struct Owned {
    explicit Owned(Outcome result) : outcome(std::move(result)) {
        for (const Failure& failure : outcome.failures) {
            failures.push_back({.position = failure.position,
                                .command = failure.command.c_str(),
                                .status = failure.status,
                                .error = failure.refusal.error,
                                .extack = failure.refusal.extack.c_str(),
                                .message = failure.message.c_str()});
        }
        shown = {.status = outcome.status,
                 .output = outcome.output.c_str(),
                 .output_size = outcome.output.size(),
                 .error = outcome.error.c_str(),
                 .error_size = outcome.error.size(),
                 .fallback = outcome.fallback.empty() ? nullptr : outcome.fallback.c_str(),
                 .failure_count = failures.size(),
                 .failures = failures.empty() ? nullptr : failures.data()};
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    nlsh_result shown{};  // first, because its address is this object's
    Outcome outcome;
    std::vector<nlsh_failure> failures;
};

}  // namespace

nlsh_result* make_result(Outcome outcome) {
    return &(new Owned(std::move(outcome)))->shown;
}

void free_result(nlsh_result* result) {
    const std::unique_ptr<Owned> owned(reinterpret_cast<Owned*>(result));
}

}  // namespace nlsh
