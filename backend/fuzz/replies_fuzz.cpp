// Sends any bytes as the kernel's datagrams. Byte 0 chooses the command; its bit 7 prints even what
// would fall back. Datagrams follow, each after its length (2 bytes, little-endian).
#include <cstddef>
#include <cstdint>

#include "backend/fuzz/commands.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    if (size < 2) return 0;
    KernelScript kernel;
    for (size_t at = 1; at + 2 <= size;) {
        const size_t wanted = data[at] + size_t{data[at + 1]} * 256;
        const size_t length = std::min(wanted, size - at - 2);
        kernel.say(std::string(reinterpret_cast<const char*>(data) + at + 2, length));
        at += 2 + length;
    }
    fuzz_run(fuzz_command(data[0] & 0x7f), kernel, (data[0] & 0x80) != 0);
    return 0;
}
