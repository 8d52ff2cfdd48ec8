# Programs that run another one.
env ip link set v0 master br0
timeout 10 ip addr add 10.9.1.1/24 dev br0
nice ip -br addr show dev br0
echo link set nosuch up | xargs ip
find /proc/self/status -exec ip link set br0 up \;
setsid -w ip route add 10.9.2.0/24 via 10.9.1.9
flock /proc/self/status ip link set v0 mtu 1400
