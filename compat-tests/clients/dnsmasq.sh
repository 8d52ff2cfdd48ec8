#!/bin/bash
# dnsmasq reads its configuration from a command's output, by popen(), and must answer queries afterwards.
dnsmasq --no-daemon --conf-file=/dev/null --no-resolv --no-hosts --port=15353 --listen-address=127.0.0.1 \
    --bind-interfaces --user=root --log-facility=/dev/null --pid-file= \
    --conf-script="ip -4 -o addr show dev v1 | sed 's,.*inet \([0-9.]*\)/.*,address=/v1.test/\1,'" &
/usr/bin/python3 -B "$(dirname "$0")/dns_query.py" 15353 v1.test
kill $!
wait
