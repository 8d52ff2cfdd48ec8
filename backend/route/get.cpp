#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const RouteGet&) {
    return 1;
}

}  // namespace nlsh
