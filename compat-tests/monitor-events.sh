# Makes, changes, renames and deletes each kind of object that a monitor reports. A monitor looks up names when it reads a message. So a name
# changes, and a link goes, only after the monitors have read all earlier messages (monitor-settle). A nexthop changes only after they have shown
# its route. bridge keeps the flags that it sees at that time.
ip link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
ip neigh add 10.9.9.9 lladdr 02:00:00:00:00:97 dev v1  # teaches the names to monitors that don't listen for links
ip neigh add fc09::9 lladdr 02:00:00:00:00:97 dev v1
sleep 1; monitor-settle
ip link set v0 up
ip link set v1 up mtu 1400
ip addr add 10.0.0.1/24 dev v0
ip addr add fc00::1/64 dev v0 nodad
ip addr change 10.0.0.1/24 dev v0 valid_lft 1000 preferred_lft 500
ip route add 192.0.2.0/24 via 10.0.0.9 metric 5
ip route replace 192.0.2.0/24 via 10.0.0.8 metric 5
ip route append 192.0.2.0/24 via 10.0.0.7 metric 5
ip -6 route add fd00::/64 via fc00::9
ip -6 route append fd00::/64 via fc00::7
ip route add 192.0.3.0/24 nexthop via 10.0.0.9 nexthop via 10.0.0.8
ip neigh add 10.0.0.9 lladdr 02:00:00:00:00:99 dev v0
ip neigh replace 10.0.0.9 lladdr 02:00:00:00:00:98 dev v0 nud stale
ip rule add from 10.0.0.0/8 table 100
ip rule del from 10.0.0.0/8 table 100
ip nexthop add id 1 via 10.0.0.9 dev v0
ip nexthop add id 2 group 1
ip route add 192.0.7.0/24 nhid 1
monitor-settle
ip nexthop replace id 1 via 10.0.0.8 dev v0
ip link add br0 address 02:00:00:00:01:00 type bridge
ip link set br0 up
ip link set v0 master br0
bridge fdb add 02:00:00:00:00:77 dev v0 master static
bridge fdb replace 02:00:00:00:00:77 dev v0 master dynamic
bridge fdb del 02:00:00:00:00:77 dev v0 master
bridge link set dev v0 cost 7
ip link property add dev v1 altname other
ip link set v0 nomaster
sleep 2; monitor-settle
ip link set br0 down
ip link set br0 name br1
monitor-settle
ip link set br1 up
ip addr add 10.1.0.1/24 dev br1
ip link set br1 name br0
sleep 2; monitor-settle
unshare -n sleep 4 & there=$!
until [ "$(readlink /proc/$there/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
ip link set v1 netns $there
monitor-settle
ip link set v0 down
ip addr del 10.0.0.1/24 dev v0
ip link del v0
wait
ip link del br0
