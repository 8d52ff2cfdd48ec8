-- A program's network commands, tested with Lua: no root, no kernel. Run by `lua5.4 vlans_test.lua`.
--
-- The program uses io.popen and os.execute, as Lua programs do: libc's popen and system, so that the
-- preload reaches it and no --path is needed.
local program = [[
    local function run(line)
        local pipe = io.popen(line .. " 2>&1")
        local said = pipe:read("a")
        return pipe:close(), said
    end
    if not run("ip link show Bridge") then os.exit(3) end
    local made, said = run("ip link add Vlan10 link Bridge type vlan id 10 && ip link set Vlan10 up")
    if not made then io.write(said) end
]]

local scenario = [[
commands:
  - line: ip link show Bridge 2>&1
    output: "5: Bridge: <UP>\n"
  - line: ip link add Vlan10 link Bridge type vlan id 10 && ip link set Vlan10 up 2>&1
    output: "RTNETLINK answers: File exists\n"
    status: 2
]]

local function write(text)
    local name = os.tmpname()
    local file <close> = io.open(name, "w")
    file:write(text)
    return name
end

local function mock(yaml)
    local files = {write(yaml), write(program)}
    local pipe = io.popen(("nlsh mock -q %s -- lua5.4 %s 2>&1"):format(files[1], files[2]))
    local said = pipe:read("a")
    local _, _, status = pipe:close()
    for _, file in ipairs(files) do os.remove(file) end
    return status, said
end

local status, said = mock(scenario)
assert(status == 0 and said == "RTNETLINK answers: File exists\n", said)
status, said = mock("commands: [{line: ip link show Bridge 2>&1, status: 1}]")
assert(status == 3, said)
status, said = mock("commands: [{glob: ip link show *}]")
assert(status == 1 and said:find("UNEXPECTED  ip link add Vlan10"), said)
print("ok")
