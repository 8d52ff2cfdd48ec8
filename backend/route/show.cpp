#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const RouteShow&) {
    return 1;
}

}  // namespace nlsh
