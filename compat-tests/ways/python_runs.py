# Runs a show, a failing show and a change, by fork and exec and by posix_spawn, and prints each result.
import subprocess

for fork, tool in ((True, "ip"), (False, "/sbin/ip")):
    for arguments in ("-br link show lo", "link show nosuch", "link set lo mtu 1400"):
        done = subprocess.run([tool, *arguments.split()], close_fds=fork, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        print(done.returncode, repr(done.stdout), repr(done.stderr), flush=True)
