"""Python code by which a process changes its own rights, for several test modules."""

# Functions for the changes. NET_ADMIN is 12; capset's data are two rows of effective, permitted, inheritable.
TOOLS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), name)
def capabilities(effective=None, permitted=None):
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    call("capget", header, data)
    if permitted is not None: data[1] &= permitted; data[4] &= permitted >> 32
    if effective is not None: data[0] = data[1] & effective; data[3] = data[4] & effective >> 32
    call("capset", header, data)
ALL, ADMIN = (1 << 64) - 1, 1 << 12
"""
CHANGES = {
    "nothing": "pass",
    "effective capabilities dropped, exec regains them": "capabilities(effective=0)",
    "CAP_NET_ADMIN ineffective, exec regains it": "capabilities(effective=ALL & ~ADMIN)",
    "CAP_NET_ADMIN out of the bounding set, still effective": "call('prctl', 24, 12, 0, 0, 0)",
    "CAP_SYS_ADMIN out of the bounding set": "call('prctl', 24, 21, 0, 0, 0)",
    "CAP_NET_ADMIN dropped for good": "call('prctl', 24, 12, 0, 0, 0); capabilities(ALL & ~ADMIN, ALL & ~ADMIN)",
    "no capability under no_new_privs": "call('prctl', 38, 1, 0, 0, 0); capabilities(0, 0)",
    "no_new_privs": "call('prctl', 38, 1, 0, 0, 0)",
    "effective uid nobody, which dash resets": "os.setresuid(0, 65534, 0)",
    "real uid nobody": "os.setresuid(65534, 0, 0)",
    "nobody, CAP_NET_ADMIN effective but not ambient": "call('prctl', 8, 1, 0, 0, 0); os.setresuid(65534, 65534, 65534); capabilities(effective=ADMIN)",
    "nobody": "os.setresuid(65534, 65534, 65534)",
    "no capabilities for root (securebits)": "call('prctl', 28, 1, 0, 0, 0)",
    "a user namespace": "call('unshare', 0x10000000)",
    "root of a user namespace": "call('unshare', 0x10000000); open('/proc/self/setgroups', 'w').write('deny'); open('/proc/self/uid_map', 'w').write('0 0 1')",
    "a mount namespace with the same mounts": "call('unshare', 0x20000)",
    "a mount namespace of its own": "call('unshare', 0x20000); call('mount', b'none', b'/', None, 0x44000, None); call('mount', b'x', b'/mnt', b'tmpfs', 0, None)",
    "a mount namespace with the root of another": "call('unshare', 0x20000); os.chroot(f'/proc/{os.getppid()}/root'); os.chdir('/')",
    "a UTS namespace": "call('unshare', 0x4000000); call('sethostname', b'other', 5)",
    "an IPC namespace": "call('unshare', 0x8000000); open('/proc/sys/kernel/shmmni', 'w').write('1234')",
    "a system call filter": "program = (ctypes.c_uint64 * 1)(0x7fff000000000006); head = (ctypes.c_uint64 * 2)(1, ctypes.addressof(program)); call('prctl', 22, 2, head)",
}
# Runs each line by system(), and names it on standard error.
RUN_LINES = """
system = libc.system
def run(lines):
    for line in lines:
        print(line, system(line.encode()), flush=True)
        os.write(2, line.encode() + b"\\n")
"""
