// The program that a command line is. (Owned by the shell parser; widen it there.)
#pragma once

#include <string>

#include "parser/ip/request.h"

namespace nlsh {

struct Program {
    bool read_only = true;  // no command in it changes anything
    int commands = 0;       // simple commands in it
};

}  // namespace nlsh
