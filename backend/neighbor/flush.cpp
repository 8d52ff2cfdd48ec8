#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const NeighborFlush&) { return 1; }

}  // namespace nlsh
