/* What a static program's start calls to register its unwind tables. Since GCC 13 libgcc sorts them
 * there, which takes a million instructions, although the linker has sorted them (--eh-frame-hdr)
 * and the unwinder finds that table by the program's headers. The linker calls these functions
 * instead (--wrap). */
#include <stddef.h>

void __wrap___register_frame_info(const void* begin, void* object);
void* __wrap___deregister_frame_info(const void* begin);

void __wrap___register_frame_info(const void* begin, void* object) {
    (void)begin;
    (void)object;
}

void* __wrap___deregister_frame_info(const void* begin) {
    (void)begin;
    return NULL;
}
