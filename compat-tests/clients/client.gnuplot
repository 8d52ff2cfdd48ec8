# `!`, system "…" are system(); the function system() and "< command" as a data file are popen().
!ip link set v0 master br0 && ip link set v0 up
system "ip addr add 10.9.1.1/24 dev br0"
print system("ip -4 -o addr show dev br0")
stats "< ip -o link show | cut -d: -f1" using 1 nooutput
print STATS_records
!ip link set nosuch up
