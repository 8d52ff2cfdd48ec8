#!/bin/bash
# snmpd runs extend-sh commands by popen(), in its long-lived process. Arguments: the paths of snmpd and snmpget.
export SNMP_PERSISTENT_DIR=$RESULT.snmp # otherwise the first user of the system's directory creates it, and prints a message
mkdir -p "$SNMP_PERSISTENT_DIR/cert_indexes"
"$1" -f -Ln -C -c "$(dirname "$0")/snmpd.conf" -p "$RESULT.pid" udp:127.0.0.1:15661 &
until grep -q ' 0100007F:3D2D ' /proc/net/udp; do sleep 0.1; done # port 15661
get() { # NAME: nsExtendOutputFull."NAME"
    "$snmpget" -v2c -c public -t 20 -r 0 -m '' -Oqv 127.0.0.1:15661 \
        ".1.3.6.1.4.1.8072.1.3.2.3.1.2.${#1}$(printf '%s' "$1" | od -An -tu1 | tr -s ' ' .)"
}
snmpget=$2
get link
get change
kill $!
wait
