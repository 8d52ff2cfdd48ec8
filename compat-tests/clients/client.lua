-- lua5.4: os.execute is system(), io.popen is popen().
local function execute(line) print("execute", os.execute(line)) end
local function popen(line)
    local stream = io.popen(line)
    io.write(stream:read("a"))
    print("close", stream:close())
end
io.stdout:setvbuf("no")
execute("ip link set v0 master br0 && ip link set br0 up")
execute('/bin/bash -c "/sbin/ip link set dev v0 up mtu 1400"')
os.execute("until ip link show br0 | grep -q 'state UP'; do sleep 0.1; done") -- the kernel tells of the carrier later, and flags are shown below
execute("bridge fdb add 02:00:00:00:00:99 dev v0 master static")
popen("ip addr add 10.9.1.1/24 dev br0 && ip -4 addr show dev br0")
popen("ip link show dev v0 | grep -o 'mtu [0-9]*'")
popen("bridge fdb show dev v0 | grep static")
popen("ip link set nosuch up")
execute("ip link set nosuch up")
execute("ip link help") -- a usage text is the real ip's
for i = 1, 20 do execute("ip route add 10.50." .. i .. ".0/24 via 10.9.0.9 dev v1") end
for line in io.popen("ip route show dev v1"):lines() do print(line) end
-- Shows that fail before the line ends, as SwSS's intfmgrd has them.
for _, line in ipairs { "ip link show nosuch | grep mtu", "ip link show nosuch; ip -br link show lo",
    "ip address show nosuch $(ip link show lo | grep -o LOOPBACK) | grep inet | wc -l" } do
  local stream = io.popen(line)
  print(stream:read("a"), stream:close())
end
