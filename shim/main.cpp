#include <unistd.h>

#include <ios>

#include "shim/cli/dispatch.h"

#ifdef NLSH_LATE_CONSTRUCTORS
// Each file that includes <iostream> (CLI11 does) sets up all streams and locales at the program's
// start: 60 µs, a fifth of what an `ip` takes. The linker leads those calls here (--wrap), and the
// streams are set up when a command needs them. So are CLI11's and yaml-cpp's constants, whose
// constructors layout.ld has put aside.
extern "C" {
void __real__ZNSt8ios_base4InitC1Ev(void*);
void __wrap__ZNSt8ios_base4InitC1Ev(void*) {}
void __real__ZNSt8ios_base4InitD1Ev(void*);
void __wrap__ZNSt8ios_base4InitD1Ev(void*) {}
using Constructor = void (*)(int, char**, char**);
extern Constructor nlsh_late_begin[];
extern Constructor nlsh_late_end[];
}

namespace {

struct Libraries {
    Libraries(int argc, char** argv) {
        __real__ZNSt8ios_base4InitC1Ev(&init);
        for (const Constructor* at = nlsh_late_begin; at != nlsh_late_end; ++at)
            (*at)(argc, argv, environ);
    }
    ~Libraries() { __real__ZNSt8ios_base4InitD1Ev(&init); }  // flushes
    Libraries(const Libraries&) = delete;
    Libraries& operator=(const Libraries&) = delete;
    char init = 0;  // std::ios_base::Init has no members
};

}  // namespace
#else
namespace {

struct [[maybe_unused]] Libraries {
    Libraries(int, char**) {}
};

}  // namespace
#endif

int main(int argc, char** argv) {
    // Nothing is buffered, and nobody waits for destructors.
    if (const auto status = nlsh::quick_main(argc, argv)) _exit(*status);
    [[maybe_unused]] const Libraries libraries(argc, argv);
    return nlsh::nlsh_main(argc, argv);
}
