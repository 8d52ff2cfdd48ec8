// Checks nlsh's environment variables.
#pragma once

namespace nlsh {

// Reports invalid values on stderr, because a mistyped variable would do nothing.
void complain_of_environment();

}  // namespace nlsh
