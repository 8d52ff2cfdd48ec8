#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const LinkShow&) { return 1; }

}  // namespace nlsh
