# system(), a command's lines, a command's input.
BEGIN {
    print system("ip link set v0 master br0")
    print system("ip addr add 10.9.1.1/24 dev br0")
    while (("/sbin/ip -br addr show dev br0" | getline line) > 0) print line
    print system("ip link set nosuch up 2>&1")
    print system("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9")
}
