// Checks nlsh's environment variables.
#pragma once

namespace nlsh {

// Reports invalid values on stderr, because a mistyped value would have no effect.
void complain_of_environment();

}  // namespace nlsh
