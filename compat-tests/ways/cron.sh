#!/bin/bash
# Part of ways.bats: cron.sh CRON NLSH PRELOAD FOLDER, in its own namespaces. Runs two jobs of root's table, the second with the preload, which the
# table sets. FOLDER gets their output and the trace.
set -euo pipefail
cron=$1 nlsh=$2 preload=$3 folder=$4
mkdir -p /var/spool/cron
mount -t tmpfs -o mode=755 none /var/spool/cron
mount -t tmpfs -o mode=755 none /run # for cron's lock
ip link set lo up
. "$(dirname "$0")/../nlsh_test/serve.sh"
NLSH=$nlsh serve "$folder/sock"
mkdir /var/spool/cron/crontabs
cat >/var/spool/cron/crontabs/root <<TABLE
* * * * * ip -br link show lo >$folder/plain; ip link set nosuch up 2>>$folder/plain; echo \$? >>$folder/plain
LD_PRELOAD=$preload
NLSH_SOCKET=$folder/sock
NLSH_TRACE=$folder/trace
* * * * * ip -br link show lo >$folder/nlsh; ip link set nosuch up 2>>$folder/nlsh; echo \$? >>$folder/nlsh
TABLE
chmod 600 /var/spool/cron/crontabs/root
"$cron" -f 3>&- &
jobs=$!
until grep -qsx '[0-9]*' "$folder/plain" && grep -qsx '[0-9]*' "$folder/nlsh"; do sleep 0.2; done
kill $jobs $server
wait $jobs $server || true
