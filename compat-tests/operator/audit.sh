# Functions of bash for audit.bats.

# audit FILE [OPTION…]: starts a server that records to FILE; $writer is the pid of its writer. The server ends with the script, or by stop.
audit() {
    serve "" --audit "$@" 2>>log
    writer=$(pgrep -P "$server" -x nlsh-audit)
    trap stop EXIT
}

stop() {
    trap - EXIT
    kill "$server" 2>/dev/null || true
    wait "$server" || true
    while kill -0 "$writer" 2>/dev/null; do sleep 0.01; done
}

# stats [OUTCOME]: prints the number of records.
stats() {
    "$NLSH" stats --prometheus | awk "/^nlsh_audit_records_total.*${1-}/ { n += \$2 } END { print n }"
}

# settled COUNT: waits until so many records were written or given up.
settled() {
    for _ in $(seq 500); do
        [ "$(stats)" -ge "$1" ] && return
        sleep 0.01
    done
    stats
    return 1
}

# records EXPRESSION [FILE]: prints a Python expression over the records `r` and the gaps `g`.
records() {
    python3 "$ROOT/compat-tests/operator/audit_records.py" "$1" "${2:-audit}"
}
