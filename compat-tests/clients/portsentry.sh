#!/bin/bash
# portsentry blocks hosts that connect to a closed port, by system(). Its configuration must be in /etc, so the test uses another /etc, in a
# mount namespace with its own server. Arguments: the paths of portsentry and nlsh.
mkdir -p "$RESULT.etc/portsentry"
cat >"$RESULT.etc/portsentry/portsentry.conf" <<END
TCP_PORTS="15667"
UDP_PORTS="15668"
IGNORE_FILE="$RESULT.ignore"
HISTORY_FILE="$RESULT.history"
BLOCKED_FILE="$RESULT.blocked"
RESOLVE_HOST="0"
BLOCK_UDP="1"
BLOCK_TCP="1"
KILL_ROUTE="/sbin/ip route add unreachable \$TARGET\$ && bridge fdb add 02:00:00:00:00:99 dev v1 self"
SCAN_TRIGGER="0"
END
: >"$RESULT.ignore"
exec unshare -m --propagation private bash -c '
    mount -t overlay overlay -o "lowerdir=$RESULT.etc:/etc" /etc || exit 1
    ip addr add 10.9.7.1/32 dev lo
    if [ -n "${LD_PRELOAD:-}" ]; then
        export NLSH_SOCKET=$RESULT.sock
        . "$3"
        LD_PRELOAD= NLSH=$2 serve
    fi
    "$1" -tcp
    for _ in {1..100}; do
        (exec 3<>/dev/tcp/10.9.7.1/15667) 2>/dev/null
        /sbin/ip route show type unreachable | grep . && break
        sleep 0.05
    done
    pid=$(pidof portsentry)
    for each in $pid; do
        [ "$(readlink /proc/self/ns/net)" != "$(readlink /proc/$each/ns/net)" ] || kill $each
    done
    [ -z "${server:-}" ] || kill $server
    wait
' sh "$1" "$2" "$(dirname "$0")/../nlsh_test/serve.sh"
