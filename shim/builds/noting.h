// For the lanes that record: writes down what lines use of a build that is known.
#pragma once

#include "parser/ip/traits/proof.h"

namespace nlsh {

// Of $NLSH_NOTE_USES, a file that exists (not in a setuid program); null: nothing is noted.
//   C scope word…    a command that was read       R scope form   a refusal
//   P scope key      a field that was shown        T trait        what was asked
// Fields are separated by tabs.
const Proof* noting_proof();

}  // namespace nlsh
