# For the scripts that people start. options "KNOWN…" "$@": at --help prints the comment that the script begins with, and ends it; an
# option that isn't among KNOWN ends it with status 2.
options() {
    known=$1
    shift
    for word in "$@"; do
        case $word in
            -h | --help)
                sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
                exit 0
                ;;
            -?*)
                case " $known " in
                    *" $word "*) ;;
                    *)
                        echo "${0##*/}: $word: no such option (--help tells which there are)" >&2
                        exit 2
                        ;;
                esac
                ;;
        esac
    done
}
