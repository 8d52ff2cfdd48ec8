#include "shim/cli/dispatch.h"

int main(int argc, char** argv) {
    return nlsh::nlsh_main(argc, argv);
}
