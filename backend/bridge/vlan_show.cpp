#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const VlanShow&) {
    return 1;
}

}  // namespace nlsh
