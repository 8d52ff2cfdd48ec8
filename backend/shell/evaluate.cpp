#include "backend/shell/evaluate.h"

namespace nlsh {

std::expected<Evaluation, Decline> evaluate(const Program&, Context&, Files&) {
    return declined("shell: not native");
}

}  // namespace nlsh
