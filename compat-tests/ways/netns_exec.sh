#!/bin/bash
# Part of ways.bats: netns_exec.sh NLSH PRELOAD FOLDER, in its own namespaces. Runs `ip netns exec` of shells and of Python, without and with the
# preload; FOLDER gets the output and the trace. The namespace blue has its own files in /etc, red has a file without a counterpart in /etc, and
# green has none.
set -euo pipefail
nlsh=$1 preload=$2 folder=$3
# Unmount what the server can't compare, or it declines every other mount namespace: mounts of deleted files, and mounts that the tmpfs below
# would hide.
awk '$4 ~ /\/\/deleted$/ || $5 ~ /^\/run\// { print $5 }' /proc/self/mountinfo | tac | while read -r place; do umount --lazy "$place"; done
mkdir "$folder"/{upper,work}
mount -t tmpfs none "$folder/upper"
mkdir "$folder"/upper/{etc,work}
mount -t overlay -o "lowerdir=/etc,upperdir=$folder/upper/etc,workdir=$folder/upper/work" none /etc
mount -t tmpfs -o mode=755 none /run
mkdir -p /etc/netns/{blue,red}
echo "192.0.2.1 of-blue" >/etc/netns/blue/hosts
echo "nameserver 192.0.2.2" >/etc/netns/blue/resolv.conf
: >/etc/netns/red/nosuchfile
[ -e /etc/resolv.conf ] || : >/etc/resolv.conf
for name in blue red green; do ip netns add $name; done
ip -n red link add r0 address 02:00:00:00:00:07 type bridge
. "$(dirname "$0")/../nlsh_test/serve.sh"
NLSH=$nlsh serve "$folder/sock"

cat >"$folder/script" <<'END'
ip netns exec blue cat /etc/hosts /etc/resolv.conf
ip netns exec blue ls /sys/class/net
ip netns exec blue ip link set lo up
ip netns exec blue ip -br link show lo
ip link set lo down
ip netns exec green ip -br link show lo
ip netns exec blue sh -c 'exit 7'; echo "status $?"
ip netns exec blue nosuch; echo "status $?"
ip netns exec nosuch true; echo "status $?"
ip netns exec blue ip netns exec red cat /sys/class/net/r0/address
ip netns exec red ip -br link show r0
ip netns exec blue sh -c 'mount -t tmpfs none /mnt && touch /mnt/inside && ls /mnt'
ls /mnt | grep inside
variable=1 ip netns exec blue env | grep ^variable=
cd /usr && ip netns exec blue pwd
ip netns exec blue sh -c 'echo "$0 $# $2"' zero one "t w o"
echo input | ip netns exec blue cat
ip netns exec blue sh -c 'kill -TERM $$'; echo "status $?"
exec ip netns exec blue ip -o link show lo
END
cat >"$folder/python" <<'END'
import subprocess
for fork, tool in ((True, "ip"), (False, "/sbin/ip")):
    for words in (("blue", "cat", "/etc/hosts"), ("red", "cat", "/sys/class/net/r0/address"), ("blue", "/nosuch"), ("green", "ip", "link", "set", "lo", "mtu", "1400"), ("green", "ip", "link", "set", "lo", "mtu", "65536")):
        done = subprocess.run([tool, "netns", "exec", *words], close_fds=fork, capture_output=True, text=True)
        print(done, flush=True)
END
programs() { # PREFIX…
    "$@" dash "$folder/script"
    "$@" bash "$folder/script"
    "$@" /usr/bin/python3 -B "$folder/python"
}
programs env >"$folder/plain" 2>&1
programs env LD_PRELOAD="$preload" NLSH_SOCKET="$folder/sock" NLSH_TRACE="$folder/trace" >"$folder/nlsh" 2>&1
end_server
