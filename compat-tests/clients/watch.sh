#!/bin/sh
# watch runs its command by system() in a child, again and again; -g ends watch when the output changes.
TERM=linux COLUMNS=80 LINES=24 timeout 10 watch -t -g -n 0.1 'ip -4 -o addr show dev br0' >/dev/null &
sleep 0.5
/sbin/ip addr add 10.9.1.1/24 dev br0
wait $!
