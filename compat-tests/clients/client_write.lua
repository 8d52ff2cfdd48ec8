-- io.popen(…, "w"): the program writes the lines that a batch reads.
io.stdout:setvbuf("no")
local function write(command, text)
    print(command)
    local stream = io.popen(command, "w")
    stream:write(text)
    print("close", stream:close())
end
local function out(command)
    for line in io.popen(command):lines() do print("> " .. line) end
end

write("ip -batch -", "link set v0 master br0\n# a comment\n\naddr add 10.9.1.1/24 dev br0\nroute add 10.50.0.0/16 \\\n  via 10.9.0.9\n")
write("/sbin/bridge -batch -", "fdb add 02:00:00:00:00:99 dev v0 master static\nfdb show dev v0 state static\n")
write("ip -batch - 2>&1", "addr show dev br0\nlink set nosuch up\nlink set v0 mtu 1400\n")
write("ip -force -batch -", "addr add 10.9.1.1/24 dev br0\nlink set v0 mtu 1400\naddr add 10.9.1.1/24 dev br0")
write("ip -4 -o -batch - > /dev/null", "addr show\n")
write("ip -batch -", "link set v0 mtu 1300\nbogus\nlink set v0 mtu 9\n")
write("ip -force -batch -", "link set v0 mtu 1300\ntoken list dev v0\naddr add 10.9.1.1/24 dev br0\nlink set v0 mtu 1200\n")
write("ip -batch -", "")
write("ip -batch - | cat", "link show dev v0\n") -- the shell's to run
write("ip link set v0 up", "")
write("exit 3; ip -batch -", "")

-- Each line is run as it comes: its effect is seen before the stream is closed.
local talk = io.popen("ip -batch -", "w")
talk:setvbuf("line")
for mtu = 1401, 1404 do
    talk:write("link set v0 mtu ", mtu, "\n")
    repeat until os.execute("/sbin/ip link show dev v0 | grep -q 'mtu " .. mtu .. "'")
end
talk:write("link set v0 mtu 9\nlink set v0 mtu 1500\n")
print("close", talk:close())

-- Two at once, and a reading one between them.
local one, two = io.popen("ip -batch -", "w"), io.popen("bridge -batch -", "w")
one:write("addr add 10.9.2.1/24 dev br0\n")
two:write("fdb add 02:00:00:00:00:98 dev v0 master static\n")
out("ip -4 -o addr show dev v1")
print("close", two:close())
print("close", one:close())
out("ip -4 -o addr show dev br0")
out("bridge fdb show dev v0 | grep static")
