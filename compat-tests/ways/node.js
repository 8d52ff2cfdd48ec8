// Each way in which node runs a command.
const { execSync, execFileSync, spawnSync, spawn } = require("child_process");
console.log(spawnSync("ip", ["link", "set", "v0", "master", "br0"]).status);
console.log(execFileSync("ip", ["addr", "add", "10.9.1.1/24", "dev", "br0"]).toString());
console.log(execSync("/sbin/ip -br addr show dev br0").toString());
console.log(spawnSync("ip", ["link", "set", "nosuch", "up"]).stderr.toString());
console.log(execSync("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9").toString());
spawn("ip", ["link", "set", "v0", "mtu", "1400"]).on("exit", (status) => console.log(status));
