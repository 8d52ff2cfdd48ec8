"""Changes of files that the shell and iproute2 use: before the server starts, or by the caller within a burst. The caller shares the server's
mounts unless the row says otherwise."""

from nlsh_test.place import NAMES

from . import Attack

LINES = ("ip link set lo mtu 1301 && ip link show lo", "ip link show lo 2>/dev/null | grep -c mtu")
OVERLAY = f"""
for place in /usr/bin /usr/sbin /etc /usr/lib {"" if NAMES.is_relative_to("/etc") else NAMES.parent}; do
    mkdir -p "overlay$place/upper" "overlay$place/work"
    mount -t overlay none -o "lowerdir=$place,upperdir=$PWD/overlay$place/upper,workdir=$PWD/overlay$place/work" "$place"
done
"""
SHELL = "def sh(text): subprocess.run(['/bin/busybox', 'sh', '-ec', text], check=True, env={'PATH': '/usr/sbin:/usr/bin'})\n"
BIND = "mount --bind /usr/sbin /usr/sbin && mount --bind /usr/bin /usr/bin\n"


def within(name: str, change: str, lines=LINES, place=OVERLAY, **columns) -> Attack:
    """The caller makes the change within a burst, in the mount namespace that it shares with the server."""
    return Attack(name, lines, place=place, within=f"{SHELL}warm(); both(*lines)\nsh({change!r})\nboth()", native=None, **columns)


def before(name: str, change: str, lines=LINES, **columns) -> Attack:
    return Attack(name, lines, place=OVERLAY + change, native=None, **columns)


ATTACKS = [
    within("ip may not be executed", "chmod 644 /usr/bin/ip"),
    within("grep may not be executed", "chmod 644 /usr/bin/grep"),
    within("the shell may not be executed", "chmod 644 /usr/bin/dash"),
    within("ip sets its user", "chown 65534 /usr/bin/ip; chmod 4755 /usr/bin/ip"),
    within("ip sets its group", "chgrp 65534 /usr/bin/ip; chmod 2755 /usr/bin/ip"),
    within("ip has capabilities of its file", "/sbin/setcap cap_chown=ep /usr/bin/ip"),
    within("the shell sets its user", "chown 65534 /usr/bin/dash; chmod 4755 /usr/bin/dash"),
    within("nothing is executed on its mount", "mount -o remount,bind,noexec /usr/sbin; mount -o remount,bind,noexec /usr/bin", place=BIND),
    within("ip is emptied", ": >/usr/bin/ip"),
    within("ip is cut", "head -c 100 /usr/bin/ip >/tmp/ip.$$; cat /tmp/ip.$$ >/usr/bin/ip; rm /tmp/ip.$$"),
    within("ip is a directory", "rm /usr/bin/ip; mkdir /usr/bin/ip"),
    within("ip is gone", "rm /usr/bin/ip /usr/sbin/ip"),
    within("ip is a link to itself", "ln -sf ip /usr/bin/ip"),
    within("ip is busybox", "ln -sf busybox /usr/bin/ip"),
    within(
        "another ip before it in PATH",
        "printf '#!/bin/sh\\necho mine\\n' >/usr/sbin/ip.new; chmod 755 /usr/sbin/ip.new; mv /usr/sbin/ip.new /usr/sbin/ip",
    ),
    within(
        "bytes of ip are changed",
        "cp -a /usr/bin/ip /usr/bin/ip.new; printf 'BROKEN!' | dd of=/usr/bin/ip.new bs=1 seek=70000 conv=notrunc status=none; mv /usr/bin/ip.new /usr/bin/ip",
    ),
    within("the whole directory is another", "mv /usr/bin /usr/bin.old 2>/dev/null || mount -t tmpfs none /usr/sbin"),
    within("/dev/null is a file", "mount --bind /etc/hostname /dev/null", place="mount --bind /dev /dev; cp /etc/hostname here"),
    within(
        "/dev/null is full",
        "mount --bind /dev/full /dev/null",
        lines=(*LINES, "ip link show lo >/dev/null; echo $?", "ip link show lo >/dev/null && ip link set lo mtu 1302"),
    ),
    within(
        "/dev/null is gone", "umount -l /dev 2>/dev/null; mount -t tmpfs none /dev", lines=(*LINES, "ip link show lo >/dev/null; echo $?")
    ),
    within("no /proc", "umount -l /proc"),
    within("no /sys", "umount -l /sys", lines=(*LINES, "ip netns list", "ip link show type bridge", "bridge -s link")),
    within(
        "another /proc/sys",
        "mount -t tmpfs none /proc/sys",
        lines=("echo 1 > /proc/sys/net/ipv4/conf/lo/arp_filter; ip link show lo", "sysctl -n net.ipv4.ip_forward; ip link show lo"),
    ),
    within(
        "a read-only /proc/sys",
        "mount --bind -o ro /proc/sys /proc/sys; mount -o remount,bind,ro /proc/sys",
        lines=("echo 1 > /proc/sys/net/ipv4/conf/lo/arp_filter; ip link show lo",),
    ),
    within("hidden processes", "mount -o remount,hidepid=2 /proc", place="mount -t proc proc /proc"),
    within(
        "libraries of ip are gone",
        "rm -f /usr/lib/x86_64-linux-gnu/libmnl.so.0",
        deviates={way: "the libraries of programs aren't looked at" for way in ("server", "inproc")},
    ),
    within(
        "/etc/ld.so.preload names what isn't there",
        "echo /nowhere.so >/etc/ld.so.preload",
        deviates={way: "what the dynamic linker says isn't imitated" for way in ("server", "inproc")},
    ),
    within(
        "tables are rewritten in place",
        f"echo '77 seven' >>{NAMES}/rt_tables",
        lines=(
            "ip rule add pref 9 table 77; ip rule show",
            "ip rule add pref 10 table seven; ip rule show; ip rule del pref 9; ip rule del pref 10",
        ),
        place=OVERLAY + f"cp {NAMES}/rt_tables x; cp x {NAMES}/rt_tables",
    ),
    within(
        "tables are a directory",
        f"rm {NAMES}/rt_tables; mkdir {NAMES}/rt_tables",
        lines=("ip rule show; ip route show table main",),
    ),
    within(
        "tables are binary",
        f"head -c 5000 /usr/bin/dd >{NAMES}/rt_tables",
        lines=("ip rule show", "ip route show table all | head -3"),
    ),
    within("tables of a line of 100,000", f"printf '%0100000d 1\\n' 7 >{NAMES}/rt_tables", lines=("ip rule show",)),
    within(
        "no tables at all",
        f"mount -t tmpfs none {NAMES}",
        lines=(
            "ip rule show",
            "ip route show table all",
            "ip route add 10.0.0.0/8 dev lo proto static table main && ip route show table main",
        ),
    ),
    within(
        "a table in a directory",
        f"mkdir -p {NAMES}/rt_tables.d; echo '78 eight' >{NAMES}/rt_tables.d/x.conf",
        lines=("ip rule add pref 9 table 78; ip rule show; ip rule del pref 9",),
    ),
    within(
        "protocols with a name of ours",
        f"echo '99 mine' >>{NAMES}/rt_protos",
        lines=("ip route add 10.5.0.0/16 dev lo proto 99; ip route show; ip route del 10.5.0.0/16",),
    ),
    within(
        "groups",
        f"echo '5 five' >>{NAMES}/group",
        lines=("ip link set lo group 5; ip link show lo; ip link show group five; ip link set lo group default",),
    ),
    within(
        "a package's upgrade, as dpkg does it",
        "cp -a /usr/bin/ip /usr/bin/ip.dpkg-new; ln -f /usr/bin/ip /usr/bin/ip.dpkg-tmp; mv /usr/bin/ip.dpkg-new /usr/bin/ip; rm /usr/bin/ip.dpkg-tmp",
    ),
    within("a package's removal", f"rm -f /usr/bin/ip /usr/sbin/ip /usr/sbin/bridge; rm -rf {NAMES}"),
    within("the shell is gone", "rm /usr/bin/sh"),
    within("the shell is a script", "rm /usr/bin/sh; printf '#!/bin/dash\\necho script\\n' >/usr/bin/sh; chmod 755 /usr/bin/sh"),
    within(
        "a wrapper for bash alone",
        "mv /usr/bin/bash /usr/bin/bash.real; printf '#!/usr/bin/bash.real\\necho wrapped\\n' >/usr/bin/bash; chmod 755 /usr/bin/bash",
        lines=("bash -c 'ip link show lo'",),
    ),
    within(
        "sysctl has files",
        "mkdir -p /etc/sysctl.d; echo net.ipv4.ip_forward=1 >/etc/sysctl.d/x.conf",
        lines=("sysctl -n net.ipv4.ip_forward",),
    ),
    before("locales in German", "mkdir -p /usr/lib/locale", lines=LINES),
    before("no passwd", "rm /etc/passwd /etc/group", lines=(*LINES, "ip tuntap list")),
    before(
        "an alternative shell",
        "ln -sf bash /usr/bin/sh",
        lines=("echo 'a\\tb' && ip link show lo", "ip link show lo &>/dev/null; echo $?", "ip link show lo |& cat"),
    ),
]
