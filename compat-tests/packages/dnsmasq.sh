#!/bin/bash
# packages: isc-dhcp-client
# dnsmasq's --dhcp-script: for each lease that comes and goes dnsmasq runs a script with `ip`, in its own network namespace.
. ./lan
cat >/run/lease <<'END'
#!/bin/sh
# add|old|del MAC ADDRESS [NAME]
case $1 in
    add | old)
        ip neigh replace "$3" lladdr "$2" dev server nud permanent
        ip route replace 203.0.113.0/24 via "$3" dev server
        ip rule add to 203.0.113.0/24 table 77 priority 77 ;;
    del)
        ip rule del priority 77
        ip route del 203.0.113.0/24
        ip neigh del "$3" dev server ;;
esac
echo "$1 $2 $3: $?, $(ip -br addr show dev server | wc -l) device, $(ip route | grep -c via) route, $(ip rule | wc -l) rules" >>/run/said
END
chmod +x /run/lease
: >/run/said
ip netns exec server dnsmasq --conf-file=/dev/null --port=0 --interface=server --bind-interfaces --user=root --pid-file=/run/dnsmasq.pid \
    --dhcp-range=192.0.2.50,192.0.2.60,1h --dhcp-host=02:00:00:00:00:01,192.0.2.55 --no-ping --dhcp-script=/run/lease \
    --dhcp-authoritative --dhcp-leasefile=/run/dnsmasq.leases --log-facility=/dev/null
said() { # LINES: waits until the script has run so often
    until [ "$(wc -l </run/said)" -ge "$1" ]; do sleep 0.05; done
    tail -n 1 /run/said
}
for turn in 1 2 3; do
    dhclient -4 -1 -q -pf /run/dhclient.pid -lf /run/dhclient.leases -sf /sbin/dhclient-script eth0
    said $((2 * turn - 1))
    ip -n server neigh show nud permanent
    ip -n server route show 203.0.113.0/24
    dhclient -4 -r -q -pf /run/dhclient.pid -lf /run/dhclient.leases -sf /sbin/dhclient-script eth0
    said $((2 * turn))
    ip -n server neigh show nud permanent
done
kill "$(cat /run/dnsmasq.pid)"
cat /run/said
exit 0
