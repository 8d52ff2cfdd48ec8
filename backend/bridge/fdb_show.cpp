#include "backend/run.h"

namespace nlsh {

int run(Context&, const Options&, const FdbShow&) {
    return 1;
}

}  // namespace nlsh
