.shell ip link set v0 master br0 && ip link set v0 up
.shell ip addr add 10.9.1.1/24 dev br0
.system ip -4 -o addr show dev br0
.shell ip link set nosuch up
