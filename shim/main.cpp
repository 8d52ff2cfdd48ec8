#include <unistd.h>

#include <ios>

#include "shim/cli/dispatch.h"

#ifdef NLSH_LATE_STREAMS
// Each file that includes <iostream> (CLI11 does) sets up all streams and locales at the program's
// start: 60 µs, a fifth of what an `ip` takes. The linker leads those calls here (--wrap), and the
// streams are set up when a command needs them.
extern "C" {
void __real__ZNSt8ios_base4InitC1Ev(void*);
void __wrap__ZNSt8ios_base4InitC1Ev(void*) {}
void __real__ZNSt8ios_base4InitD1Ev(void*);
void __wrap__ZNSt8ios_base4InitD1Ev(void*) {}
}

namespace {

struct Streams {
    Streams() { __real__ZNSt8ios_base4InitC1Ev(&init); }
    ~Streams() { __real__ZNSt8ios_base4InitD1Ev(&init); }  // flushes
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    char init = 0;  // std::ios_base::Init has no members
};

}  // namespace
#else
namespace {

struct [[maybe_unused]] Streams {};

}  // namespace
#endif

int main(int argc, char** argv) {
    // Nothing is buffered, and nobody waits for destructors.
    if (const auto status = nlsh::quick_main(argc, argv)) _exit(*status);
    [[maybe_unused]] const Streams streams;
    return nlsh::nlsh_main(argc, argv);
}
