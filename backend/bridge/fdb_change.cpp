#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const FdbChange&) { return 1; }

}  // namespace nlsh
