#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const RuleShow&) {
    return 1;
}

}  // namespace nlsh
