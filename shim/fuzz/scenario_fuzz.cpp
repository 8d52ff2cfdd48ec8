// Reads any text as a scenario of `nlsh mock` and as a rule of --fail: must accept it or give a
// reason.
#include <cstddef>
#include <cstdint>
#include <string>

#include "parser/fuzz/require.h"
#include "shim/mock/scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto scenario = read_scenario(text)) {
        for (const Expectation& each : scenario->expected)
            if (each.match != Expectation::Match::regex) (void)each.matches("ip link show eth0");
    } else {
        require(!scenario.error().empty());
    }
    if (const auto rule = read_failure(text); !rule) require(!rule.error().empty());
    return 0;
}
