# Any awk. gawk and mawk read `command | getline` by a fork of their own: system() alone is libc's there.
function execute(line) { print "system", system(line); fflush() }
BEGIN {
    execute("ip link set v0 master br0 && ip link set v0 up")
    execute("ip addr add 10.9.1.1/24 dev br0")
    execute("ip route add 10.50.0.0/16 via 10.9.0.9")
    execute("ip -4 -o addr show dev v1")
    execute("ip link set nosuch up")
    execute("bridge fdb add 02:00:00:00:00:99 dev v0 master static")
    execute("bridge fdb show dev v0 | grep static")
    system("./settled.sh v0") # flags are shown below
    command = "ip -o -4 addr show dev br0; bridge link show dev v0 | head -n 1"
    while ((command | getline line) > 0) print ">", line
    print "close", close(command)
    fflush()
}
