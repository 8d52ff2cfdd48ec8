<?php // exec, shell_exec, system, passthru and popen are all libc's popen(), read by read(2) on its descriptor.
exec("ip link set v0 master br0 && ip link set v0 up", $lines, $status);
echo $status, "\n";
echo shell_exec("bridge fdb add 02:00:00:00:00:99 dev v0 master static; ip -o link show dev v0 | cut -d: -f2");
echo system("ip addr add 10.9.1.1/24 dev br0; ip -4 -o addr show dev br0", $status), $status, "\n";
passthru("ip link set nosuch up", $status);
echo $status, "\n";
$stream = popen("ip -4 route show table main", "r");
while (($line = fgets($stream)) !== false) echo "> ", $line;
echo pclose($stream), "\n";
$stream = popen("ip route add 10.50.0.0/16 via 10.9.0.9; exit 7", "r");
echo pclose($stream), "\n";
exec("bridge -o fdb help", $lines, $status);
echo $status, "\n", implode("\n", $lines), "\n";
