#!/usr/bin/env python3
"""The parser makes no system call, and links without the backend: pure_test.py PARSER.a BACKEND.a

What a library needs from elsewhere is what nm says is undefined in it. Of libc the parser needs only what works on memory; anything
that isn't listed here fails. Of the project it needs nothing. As the check's own check, the backend must fail it by its sockets.
"""

import subprocess
import sys

# What reads and writes memory only. regcomp() allocates, inet_pton() reads text, sscanf() and snprintf() have no stream.
ALLOWED = set(
    """memcpy memmove memset memcmp memchr memrchr bcmp strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strspn strcspn
    strstr isalpha isupper islower isdigit isxdigit isspace isblank ispunct isalnum isprint isgraph iscntrl toupper tolower
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc strtoul strtol strtoull strtoll __isoc99_sscanf sscanf __isoc23_sscanf
    __isoc23_strtol __isoc23_strtoul __isoc23_strtoull snprintf __snprintf_chk inet_pton regcomp regexec regfree malloc free calloc
    realloc abort __assert_fail __errno_location __stack_chk_fail __memcpy_chk __memmove_chk __memset_chk __strcpy_chk __libc_single_threaded
    _GLOBAL_OFFSET_TABLE_ __dso_handle __cxa_atexit __tls_get_addr __udivti3 __umodti3 __popcountdi2 __clzti2 __gxx_personality_v0 __dynamic_cast
    _Unwind_Resume htonl htons ntohl ntohs ceil""".split()
)
# {fmt} can also print; nothing of ours asks it to. It is instantiated in a source of its own.
FMT = "fmt.cpp.o"
FMT_ALLOWED = {"fwrite", "fputc", "fprintf", "stdout", "stderr", "fflush", "putc"}
# Of the C++ library what opens, reads, waits or asks.
SYSTEM = ("filebuf", "fstream", "filesystem", "6thread", "random_device", "chrono", "condition_variable", "ios_base4Init")
OURS = ("4nlsh",)


def symbols(archive):
    """(member, name, defined) of each symbol."""
    text = subprocess.run(["nm", "-A", archive], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        where, _, rest = line.partition(": ") if ": " in line else line.rpartition(":")
        member = where.split(":")[1]
        *_, kind, name = rest.split()
        yield member, name.split("@")[0], kind not in "Uvw"


def impure(archive):
    """What it needs from elsewhere and may not."""
    known = list(symbols(archive))
    defined = {name for _, name, here in known if here}
    found = set()
    for member, name, here in known:
        if here or name in defined:
            continue
        if name.startswith("_Z"):
            bad = any(part in name for part in (*SYSTEM, *OURS))
        else:
            bad = name not in ALLOWED and not name.startswith("__cxa_") and not (member.endswith(FMT) and name in FMT_ALLOWED)
        if bad:
            found.add(f"{member}: {name}")
    return found


def main():
    parser, backend = sys.argv[1:]
    wrong = impure(parser)
    calls = {each.split(": ")[1] for each in impure(backend)}
    if not {"socket", "recvmsg", "open"} & calls:
        wrong.add(f"{backend}: passes, though it has sockets")
    print("\n".join(sorted(wrong)) or f"{parser} is pure; the backend needs {len(calls)} names that the parser may not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
