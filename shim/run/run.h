// `nlsh run [--] PROGRAM ARGS…`: a program under the preload with a server of its own.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nlsh {

// Returns the program's exit status, 128+N when signal N ended it, 127 when it can't be started.
// The server lives as long as the program.
int run_program(const std::vector<std::string>& words);

// The library that such programs are given; empty when it isn't found.
std::string preload_path();

// A program that asks somebody's server.
struct PreloadedProgram {
    std::vector<std::string> words;
    std::string socket;
    std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
    bool preload = true;
    std::function<void()> started = {};  // called in this process when the program's process exists
};
// Its exit status, as run_program gives it.
int run_preloaded(const PreloadedProgram& program);

}  // namespace nlsh
