#include <unistd.h>

#include <exception>

#include "shim/cli/dispatch.h"
#include "shim/log/message.h"

int main(int argc, char** argv) {
    try {
        // Nothing is buffered, and nobody waits for destructors.
        if (const auto status = nlsh::quick_main(argc, argv)) _exit(*status);
        nlsh::reserve_standard_descriptors();
        return nlsh::nlsh_main(argc, argv);
    } catch (const std::exception& error) {  // no memory
        return nlsh::fail(1, "nlsh: {}\n", error.what());
    }
}
