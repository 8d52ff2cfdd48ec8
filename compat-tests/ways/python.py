# Each way in which Python runs a command.
import os
import subprocess

print(os.system("ip link set v0 master br0"), flush=True)
print(subprocess.run(["ip", "addr", "add", "10.9.1.1/24", "dev", "br0"]).returncode)
print(subprocess.check_output(["/sbin/ip", "-br", "addr", "show", "dev", "br0"], text=True))
print(subprocess.run(["ip", "link", "set", "nosuch", "up"], capture_output=True, text=True))
print(subprocess.run("ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9", shell=True).returncode)
print(os.popen("ip -o link show br0 | wc -l").read())
print(subprocess.run(["ip", "link", "show", "br0"], close_fds=False, stdout=subprocess.DEVNULL).returncode)
print(os.waitpid(os.spawnvp(os.P_NOWAIT, "ip", ["ip", "link", "set", "v0", "mtu", "1400"]), 0)[1])
with subprocess.Popen(["ip", "-batch", "-"], stdin=subprocess.PIPE, text=True) as batch:
    batch.communicate("link set v0 mtu 1300\n")
print(batch.returncode)
try:
    subprocess.run(["/nonexistent/ip", "link"])
except FileNotFoundError as error:
    print(error)
