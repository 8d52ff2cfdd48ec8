<?php // Each way in which PHP runs a command.
echo system("ip link set v0 master br0");
exec("ip addr add 10.9.1.1/24 dev br0", $lines, $status);
echo "$status\n", shell_exec("/sbin/ip -br addr show dev br0");
passthru("ip link set nosuch up 2>&1", $status);
echo "$status\n";
echo proc_close(proc_open("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9", [], $pipes)), "\n";
echo proc_close(proc_open(["ip", "link", "show", "br0"], [1 => ["file", "/dev/null", "w"]], $pipes)), "\n";
