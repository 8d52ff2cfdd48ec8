-- Each way in which Lua runs a command.
print(os.execute("ip link set v0 master br0"))
print(os.execute("ip addr add 10.9.1.1/24 dev br0"))
print(io.popen("/sbin/ip -br addr show dev br0"):read("a"))
print(os.execute("ip link set nosuch up 2>&1"))
print(os.execute("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9"))
