# GNU sed: the e command and the e flag are popen().
1e ip link set v0 master br0 && ip link set v0 up
2e ip -o link show dev v0 | cut -d: -f1-2
3s/.*/ip addr add 10.9.1.1\/24 dev br0; ip -4 -o addr show dev br0/e
4s/.*/ip link set nosuch up/e
