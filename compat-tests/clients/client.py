# os.system is libc's system(); os.popen and subprocess fork and exec by themselves, and sh finds ip in PATH.
import os

for line in (
    "ip link set v0 master br0 && ip link set v0 up",
    "ip addr add 10.9.1.1/24 dev br0",
    "bridge fdb add 02:00:00:00:00:99 dev v0 master static",
    "ip link set nosuch up",
    "ip -4 -o addr show dev br0",
    "ip route add 10.50.0.0/16 via 10.9.0.9 && exit 3",
    "ip link help",
    "bridge fdb show dev v0 | grep static",
):
    print(os.system(line), flush=True)
print(os.popen("ip -4 route show").read())
