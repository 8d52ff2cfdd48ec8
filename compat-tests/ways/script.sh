# For dash, bash and busybox's sh.
ip link set v0 master br0 || exit
/sbin/ip addr add 10.9.1.1/24 dev br0
echo "br0 has $(ip -br addr show dev br0)"
ip link set nosuch up
echo "status $?"
ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9 && echo done
ip -o link show br0 2>/dev/null | wc -l
if ip link show nosuch >/dev/null 2>&1; then echo there; else echo "not there"; fi
ip link set nosuch up 2>&1 >/dev/null | wc -c
(ip link set v0 mtu 1400; exec ip link set nosuch down)
echo "status $?"
ip link help
ip link show br0 >&-
PATH=/nonexistent ip link show br0
exec ip -br link show master br0
