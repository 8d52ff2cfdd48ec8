#include "shim/cli/dispatch.h"

#include <cstdio>
#include <string_view>

#include "shim/cli/personality.h"

namespace nlsh {

int nlsh_main(int argc, char** argv) {
    if (const auto tool = personality(argv[0])) return run_personality(*tool, argc, argv);
    if (argc > 1) {
        if (const auto tool = personality(argv[1]);
            tool && std::string_view(argv[1]).find('/') == std::string_view::npos) {
            return run_personality(*tool, argc - 1, argv + 1);
        }
    }
    fputs("nlsh: no command\n", stderr);
    return 255;
}

}  // namespace nlsh
