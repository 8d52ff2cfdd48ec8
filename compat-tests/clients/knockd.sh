#!/bin/bash
# knockd sees two packets and runs its command by system() in a child. The script repeats the packets, because knockd may start late.
"$1" -c "$(dirname "$0")/knockd.conf" -i lo -p "$RESULT.pid" &
for _ in {1..100}; do
    echo x >/dev/udp/127.0.0.1/7000
    echo x >/dev/udp/127.0.0.1/8000
    sleep 0.05
    [ -z "$(/sbin/ip route show type unreachable)" ] || break
done
kill $!
wait
