# exec and a command's channel.
puts [exec ip link set v0 master br0]
puts [exec ip addr add 10.9.1.1/24 dev br0]
puts [exec /sbin/ip -br addr show dev br0]
puts [catch {exec ip link set nosuch up} text]
puts $text
puts [exec sh -c "ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9"]
puts [read [open "|ip -br link show br0"]]
