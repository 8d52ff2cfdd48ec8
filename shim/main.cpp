#include "shim/cli/main.h"

int main(int argc, char** argv) {
    return nlsh::nlsh_main(argc, argv);
}
