#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const RouteChange&) { return 1; }

}  // namespace nlsh
