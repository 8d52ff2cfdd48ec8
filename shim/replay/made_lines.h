// Lines that nobody has recorded, made of recorded ones. They prove rows that are proven as well by
// running the installed program, without another recording.
#pragma once

#include <vector>

#include "parser/ip/options.h"
#include "shim/replay/corpus.h"

namespace nlsh {

// Of one tool, whose traits are known:
//
// * a recorded line with its object or its verb in short: the same requests and output as recorded;
// * the beginning of a recorded line, with a bad word behind it, or without. nlsh must refuse it by
//   a form that was recorded of the object. The text is nlsh's; the requests are those of one of
//   the recorded refusals.
//
// Only those with a row that no recorded line has. nlsh's own parser says what it takes a line for.
std::vector<MadeLine> made_lines(const Corpus& corpus, Tool tool, const Traits& traits);

}  // namespace nlsh
