# exec: the error of one that fails.
set errorCode none
set lines [list {ip link} {/usr/sbin/ip link} [list ip link show [string repeat x 140000]] [list ip {*}[lrepeat 700000 x]]]
foreach kind {closed script loop folder nothing} {
    lappend lines [list $::argv/$kind/ip link] [list $::argv/$kind/sh -c "ip link set lo up"]
}
foreach words $lines {
    puts "[catch {exec {*}$words} text] [string range $text 0 200] [string range $::errorCode 0 200]"
}
