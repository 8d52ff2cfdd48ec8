#include <unistd.h>

#include "shim/cli/dispatch.h"

int main(int argc, char** argv) {
    // Nothing is buffered, and nobody waits for destructors.
    if (const auto status = nlsh::quick_main(argc, argv)) _exit(*status);
    return nlsh::nlsh_main(argc, argv);
}
