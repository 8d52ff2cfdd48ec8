// Go's os/exec executes ip and bridge itself: nlsh's stand first in PATH.
package main

import (
	"fmt"
	"os/exec"
	"strings"
)

func main() {
	for _, line := range []string{
		"ip link set v0 master br0", "ip link set v0 up", "ip addr add 10.9.1.1/24 dev br0",
		"ip -j addr show dev br0", "ip link set nosuch up", "ip link help",
		"bridge fdb add 02:00:00:00:00:99 dev v0 master static", "bridge fdb show dev v0",
	} {
		words := strings.Fields(line)
		out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
		fmt.Println(line, err)
		fmt.Print(string(out))
	}
	batch := exec.Command("ip", "-batch", "-")
	batch.Stdin = strings.NewReader("link set v0 mtu 1400\nroute add 10.50.0.0/16 via 10.9.0.9\nlink set nosuch up\n")
	out, err := batch.CombinedOutput()
	fmt.Println("batch", err)
	fmt.Print(string(out))
}
