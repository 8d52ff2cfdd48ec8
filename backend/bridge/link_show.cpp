#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const BridgeLinkShow&) {
    return 1;
}

}  // namespace nlsh
