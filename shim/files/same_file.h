// Whether two descriptors refer to the same file, pipe or terminal.
#pragma once

#include <sys/stat.h>

namespace nlsh {

inline bool same_file(int one, int other) {
    struct stat a;
    struct stat b;
    return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

}  // namespace nlsh
