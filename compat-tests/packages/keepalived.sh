#!/bin/bash
# packages: keepalived libnl-3-200 libnl-genl-3-200 libnftnl11 libmnl0
# Two routers share an address by VRRP: keepalived runs a script with `ip` at each change of state.
ip netns add other
ip link add eth0 address 02:00:00:00:00:01 type veth peer name eth0 netns other address 02:00:00:00:00:02
for words in "ip" "ip -n other"; do
    $words link set lo up
    $words link set eth0 up
done
ip addr add 192.0.2.2/24 dev eth0
ip -n other addr add 192.0.2.3/24 dev eth0
cat >/run/notify <<'END'
#!/bin/sh
# TYPE NAME STATE
case $3 in
    MASTER)
        ip route replace 198.51.100.0/24 via 192.0.2.9 dev eth0
        ip rule add from 192.0.2.77 table 77 priority 77
        ip route replace default via 192.0.2.9 dev eth0 table 77 ;;
    *)
        ip route del 198.51.100.0/24 dev eth0
        ip rule del from 192.0.2.77 table 77 priority 77
        ip route flush table 77 ;;
esac
echo "$3: $(ip route | wc -l) routes, $(ip rule | wc -l) rules" >>/run/said.$(ip -br addr show dev eth0 | grep -o '192.0.2.[23]/' | tr -d /)
END
chmod +x /run/notify
configuration() { # STATE PRIORITY
    cat <<END
global_defs {
    script_user root
}
vrrp_instance one {
    state $1
    interface eth0
    virtual_router_id 51
    priority $2
    advert_int 0.1
    version 3
    virtual_ipaddress {
        192.0.2.77/24 dev eth0
    }
    notify /run/notify
}
END
}
configuration BACKUP 100 >/run/first.conf
configuration BACKUP 200 >/run/second.conf
keep() { # NUMBER
    exec keepalived -n -P -f /run/$1.conf -p /run/$1.pid -r /run/$1.vrrp.pid >/run/$1.log 2>&1
}
has_said() { # FILE LINES
    local left=300
    until [ "$(cat "/run/said.$1" 2>/dev/null | wc -l)" -ge "$2" ]; do
        left=$((left - 1))
        [ $left -gt 0 ] || { echo "never said"; cat /run/*.log; break; }
        sleep 0.1
    done
}
keep first &
first=$!
has_said 192.0.2.2 2
ip netns exec other bash -c "$(declare -f keep); keep second" &
second=$!
has_said 192.0.2.3 2 # the second router has higher priority and takes over
has_said 192.0.2.2 3
kill $second
wait $second
has_said 192.0.2.2 4
kill $first
wait $first
tail -n 20 /run/said.*
exit 0
