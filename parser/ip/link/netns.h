// `netns` of a link that isn't a plain name: what it means depends on who looks.
#pragma once

#include "parser/ip/link/link.h"

namespace nlsh {

// A path (with a slash), or a number: a process, unless a namespace has it for its name.
bool depends_on_viewer(const LinkNetns& netns);
// The same of any in a change, those of a veth's peer included.
bool depends_on_viewer(const LinkChange& change);

}  // namespace nlsh
