-- A daemon that configures and asks all the time, until the file `stop` is there. Leaves how many calls it made, and how
-- many of them went wrong, in the file `counts`; what is in `counts.started` says that it is at work.
local calls, failed = 0, 0
local function exists(name)
    local file = io.open(name)
    if file then file:close() end
    return file ~= nil
end
while not exists("stop") do
    local mtu = 1400 + calls % 100
    if not os.execute("ip link set lo mtu " .. mtu) then failed = failed + 1 end
    local pipe = io.popen("ip -o link show lo")
    local text = pipe:read("a")
    if not pipe:close() or not text:find("mtu " .. mtu .. " ", 1, true) then failed = failed + 1 end
    calls = calls + 2
    if calls == 200 then io.open("counts.started", "w"):close() end
end
local file = io.open("counts", "w")
file:write(calls, " ", failed, "\n")
file:close()
