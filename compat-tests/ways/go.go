// os/exec: system calls of its own, which no library stands before.
package main

import (
	"fmt"
	"os/exec"
)

func run(words ...string) {
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	fmt.Println(string(out), err)
}

func main() {
	run("ip", "link", "set", "v0", "master", "br0")
	run("ip", "addr", "add", "10.9.1.1/24", "dev", "br0")
	run("ip", "-br", "addr", "show", "dev", "br0")
	run("ip", "link", "set", "nosuch", "up")
}
