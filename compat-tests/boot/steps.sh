# For the scripts that run on a booted machine: how they say what held, and what they wait for.
patience=60 # seconds, for as long as a slow machine may take

held() { echo "${SECONDS}s: $*"; }
until_true() { # COMMAND…
    local end=$((SECONDS + patience))
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "never: $*"; return 1; }
        sleep 0.1
    done
}
settled() { [[ $(systemctl is-system-running 2>/dev/null) =~ running|degraded ]]; }
counter() { nlsh stats --json | sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" | head -n 1; }
more() { local count; count=$(counter "$1") && [ "$count" -gt "$2" ]; } # COUNTER NUMBER
