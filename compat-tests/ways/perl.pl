# Each way in which Perl runs a command.
$| = 1;
print system("ip", "link", "set", "v0", "master", "br0"), "\n";
print system("ip addr add 10.9.1.1/24 dev br0"), "\n";
print `/sbin/ip -br addr show dev br0`;
print system("ip link set nosuch up 2>&1"), "\n";
print system("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9"), "\n";
open(my $list, "-|", "ip", "-o", "link", "show", "br0"); print scalar(() = <$list>), "\n"; close($list);
