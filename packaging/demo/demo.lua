-- The unmodified program of packaging/quickstart: it configures a bridge with ports, addresses, routes and
-- neighbours as network daemons do, by handing strings to system() (os.execute) and popen() (io.popen).
local ports = tonumber(arg[1])

local function run(line)
    local ok, how, status = os.execute(line)
    print(line, ok, how, status)
end

local function ask(line)
    local stream = io.popen(line)
    local text = stream:read("a")
    print(line, text, stream:close())
end

run('/bin/bash -c "/sbin/ip link add Bridge up type bridge && /sbin/ip link set Bridge mtu 9100 && ' ..
    '/sbin/ip link set Bridge address 02:ff:00:00:00:01"')
run('/sbin/ip link add Bridge type bridge')  -- exists: the error and its status are the real ones
for i = 0, ports - 1 do
    local port = "Ethernet" .. i
    run('/sbin/ip link set dev "' .. port .. '" mtu "9100"')
    run('/bin/bash -c "/sbin/ip link set \\"' .. port .. '\\" master Bridge && /sbin/ip link set dev \\"' .. port .. '\\" up"')
    run('/sbin/ip link set dev "peer' .. i .. '" up')
    run('/sbin/ip address "add" "10.' .. i .. '.0.1/24" broadcast "10.' .. i .. '.0.255" dev "peer' .. i .. '"')
    run('/sbin/ip neigh add 10.' .. i .. '.0.9 lladdr 00:aa:00:00:00:05 dev peer' .. i)
    run('/sbin/ip route add 172.16.' .. i .. '.0/24 via 10.' .. i .. '.0.9 dev peer' .. i)
    run('bridge fdb replace 00:bb:00:00:00:01 dev ' .. port .. ' master static')
    ask('/sbin/ip link show ' .. port)
    ask('ip route get 172.16.' .. i .. ".1 | sed -n 's/.*dev \\([^\\ ]*\\).*/\\1/p' | tr -d '\\n'")
    ask('/sbin/ip address show peer' .. i .. ' | grep inet | wc -l')
end
ask("/sbin/ip link show type bridge | grep -o 'Bridge[^:]*'")
ask('/sbin/ip link show nosuch 2>&1')
