# print | command is libc's popen in gawk and original-awk.
BEGIN {
    batch = "ip -force -batch -"
    print "link set v0 master br0" | batch
    print "addr add 10.9.0.1/24 dev v1" | batch
    print "addr add 10.9.1.1/24 dev br0" | batch
    print "close", close(batch)
    fflush()
}
