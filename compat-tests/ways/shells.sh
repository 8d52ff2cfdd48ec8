# Shells with a line, and with start-up files, arguments or switches: nlsh knows them, or really execs the shell.
file=$(mktemp)
echo 'echo "read first"' >"$file"
env BASH_ENV="$file" bash -c 'ip -br link show lo'
env ENV="$file" sh -c 'ip -br link show lo'
env SHELLOPTS=xtrace bash -c 'ip link show nosuch' 2>&1
bash -c 'ip() { echo "a function"; }; export -f ip; bash -c "ip -br link show lo"; true'
sh -c 'ip -br link show "$1"' name lo
sh -e -c 'ip link set nosuch up; echo "not reached"'
echo "status $?"
bash --norc -c 'ip link set v0 mtu 1401'
sh -c 'ip link set v0 mtu 1402; exit 3'
echo "status $?"
bash -c 'ip link set v0 mtu 1403 && ip -o link show v1 | cut -d: -f2'
bash -c 'ip link set v0 mtu "$RANDOM$RANDOM$RANDOM"' 2>/dev/null
echo "status $?"
env NLSH_EXEC=0 sh -c 'ip link set v0 mtu 1405'
env NLSH_DISABLE=1 sh -c 'ip link set v0 mtu 1406'
env PATH=/nonexistent /bin/sh -c 'ip link set v0 mtu 1407'
echo "status $?"
rm "$file"
