# Each way in which Ruby runs a command.
$stdout.sync = true
p system("ip", "link", "set", "v0", "master", "br0")
p system("ip addr add 10.9.1.1/24 dev br0")
puts `/sbin/ip -br addr show dev br0`
p system("ip link set nosuch up 2>&1")
p system("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9")
p IO.popen(["ip", "-o", "link", "show", "br0"]).readlines.size
