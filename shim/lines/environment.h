// Variables whose values nothing can be made of.
#pragma once

namespace nlsh {

// Says on stderr what is wrong with them: a mistyped one would just do nothing.
void complain_of_environment();

}  // namespace nlsh
