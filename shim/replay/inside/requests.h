// Two netlink messages that programs have sent: do they ask for the same?
#pragma once

#include <stddef.h>

// Compares byte by byte, except sequence numbers, port ids, padding, and the zero byte that may end
// a kind of link (the kernel ignores it; builds since 6.19 send it).
int same_request(const unsigned char* one, size_t one_size, const unsigned char* other,
                 size_t other_size);
