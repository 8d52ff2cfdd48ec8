"""The environments: how to make each, and which server its programs find."""

from dataclasses import dataclass, field

# Docker's default capabilities.
DOCKER = (
    "CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE"
).split()
USER = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"]


@dataclass(frozen=True)
class Row:
    name: str
    place: str  # a function of places.py
    settings: object = ()
    server: str = "machine"  # or "inside": the environment's own; or "sidecar": a second container
    sink: str = "pipe"  # the kind of the programs' outputs: systemd's journal is a socket
    own_network: bool = False  # the environment makes the namespace and sets it up
    undumpable: bool = False
    before: str = ""  # shell commands of the machine's root, before the row
    after: str = ""
    short: bool = False  # whether the short run has it
    groups: tuple = field(default_factory=tuple)


def unit(name: str, *properties: str, **more) -> Row:
    return Row("systemd: " + name, "unit", properties, sink="socket", **more)


def oci(name: str, **settings) -> Row:
    row = {key: settings.pop(key) for key in ("server", "own_network", "short") if key in settings}
    return Row(name, "oci", settings, **({"server": "inside"} | row))


HARDENED = (
    "NoNewPrivileges=yes",
    "SystemCallFilter=@system-service",
    "RestrictAddressFamilies=AF_UNIX AF_NETLINK AF_INET AF_INET6",
    "ProtectSystem=strict",
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "ProtectKernelTunables=yes",
    "ProcSubset=pid",
    "ProtectProc=invisible",
    "CapabilityBoundingSet=CAP_NET_ADMIN",
)
AMBIENT = ("AmbientCapabilities=CAP_NET_ADMIN",)

ROWS = (
    Row("root on the host", "host", short=True),
    Row("root, not dumpable", "host", undumpable=True),
    Row("plain user", "host", USER, short=True),
    Row("user with ambient NET_ADMIN", "host", [*USER, "--inh-caps=+net_admin", "--ambient-caps=+net_admin"]),
    Row("user, setuid ip", "host", USER, before="chmod u+s /usr/bin/ip", after="chmod u-s /usr/bin/ip"),
    Row("user, file-capability ip", "host", USER, before="setcap cap_net_admin+ep /usr/bin/ip", after="setcap -r /usr/bin/ip"),
    Row("root of a user namespace", "host", ["unshare", "--user", "--map-root-user", "--net"], own_network=True),
    unit("no settings"),
    unit("NoNewPrivileges", HARDENED[0]),
    unit("SystemCallFilter=@system-service", HARDENED[1]),
    unit("RestrictAddressFamilies", HARDENED[2]),
    unit("ProtectSystem=strict", HARDENED[3]),
    unit("PrivateTmp", HARDENED[4]),
    unit("PrivateDevices", HARDENED[5]),
    unit("ProtectKernelTunables", HARDENED[6]),
    unit("ProcSubset=pid", HARDENED[7]),
    unit("ProtectProc=invisible", HARDENED[8]),
    unit("CapabilityBoundingSet=CAP_NET_ADMIN", HARDENED[9]),
    unit("User=, AmbientCapabilities=", "User=daemon", *AMBIENT),
    unit("DynamicUser=, AmbientCapabilities=", "DynamicUser=yes", *AMBIENT),
    unit("hardened, root", *HARDENED, short=True),
    unit("hardened, User=", *HARDENED, "User=daemon", *AMBIENT),
    oci("SONiC to 202411 (privileged)", capabilities="all", seccomp=False, unmasked=True, devices=True),
    oci("SONiC swss, teamd, nat", capabilities=[*DOCKER, "NET_ADMIN"], unmasked=True, short=True),
    oci("SONiC bgp, stp", capabilities=[*DOCKER, "NET_ADMIN", "SYS_ADMIN"], unmasked=True),
    oci("Docker, NET_ADMIN", capabilities=[*DOCKER, "NET_ADMIN"]),
    oci("Docker, no options", capabilities=DOCKER),
    oci("swss, server on the machine", capabilities=[*DOCKER, "NET_ADMIN"], unmasked=True, server="machine"),
    oci("Kubernetes, NET_ADMIN", capabilities=["NET_ADMIN"], no_new_privileges=True, read_only=True, short=True),
    oci("Kubernetes, runAsNonRoot", capabilities=["NET_ADMIN"], no_new_privileges=True, read_only=True, user=1000),
    oci("Kubernetes, server in a sidecar", capabilities=["NET_ADMIN"], no_new_privileges=True, read_only=True, server="sidecar"),
    oci("userns-remap", capabilities=[*DOCKER, "NET_ADMIN"], remapped=True, own_network=True),
    Row("rootless Podman", "podman", server="inside", own_network=True),
    Row("systemd-nspawn", "nspawn", ("--private-network",), server="inside", own_network=True),
    Row(
        "systemd-nspawn, user namespace", "nspawn", ("--private-network", "--private-users=100000:65536"), server="inside", own_network=True
    ),
    Row("LXC, proc:mixed", "lxc", ("proc:mixed",), server="inside"),
    Row("LXC unprivileged, proc:mixed", "lxc", ("proc:mixed", "remapped"), server="inside", own_network=True),
    Row("chroot", "chroot", server="machine"),
    Row("chroot, server inside", "chroot", server="inside"),
    Row("bubblewrap, root", "bubblewrap", ("--cap-add", "CAP_NET_ADMIN"), server="inside"),
    Row(
        "bubblewrap, user",
        "bubblewrap",
        ("--unshare-net", "--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "CAP_NET_ADMIN"),
        server="inside",
        own_network=True,
    ),
)
