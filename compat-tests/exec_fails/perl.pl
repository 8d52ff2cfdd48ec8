# system and pipes: $! of an exec that failed.
my ($folder) = @ARGV;
my @lines = (["ip", "link"], ["/usr/sbin/ip", "link"], ["ip", "link", "show", "x" x 140_000], ["ip", ("x") x 700_000],
             map { (["$folder/$_/ip", "link"], ["$folder/$_/sh", "-c", "ip link set lo up"]) } qw(closed script loop folder nothing));
$| = 1;
for my $words (@lines) {
    no warnings;
    my $status = system(@$words);
    print $status, $status < 0 ? " $!" : "", "\n";
    print open(my $pipe, "-|", @$words) ? "opened" : "failed ${\($! + 0)}", "\n";
}
