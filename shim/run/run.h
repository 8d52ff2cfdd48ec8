// `nlsh run [--] PROGRAM ARGS…`: runs a program under the preload with its own server.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nlsh {

// Returns the program's exit status: 128+N if signal N ended it, 127 if it can't be started. The
// server lives as long as the program.
int run_program(const std::vector<std::string>& words);

// The preload library's path; empty: not found.
std::string preload_path();

// A program that asks a given server.
struct PreloadedProgram {
    std::vector<std::string> words;
    std::string socket;
    std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
    bool preload = true;
    std::function<void()> started = {};  // called in this process when the program's process exists
};
// Returns an exit status as run_program does.
int run_preloaded(const PreloadedProgram& program);

}  // namespace nlsh
