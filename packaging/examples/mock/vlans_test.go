// A program's network commands, tested with Go: no root, no kernel. Run by `go test`.
//
// Go programs run ip by exec, so that `nlsh mock` stands before it in PATH (--path). The test runs
// itself as the program: with MAKE_VLANS set it is makeVlans.
package vlans

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The program under test.
func makeVlans(vids []string) {
	if err := exec.Command("ip", "link", "show", "Bridge").Run(); err != nil {
		fmt.Println("no bridge")
		os.Exit(1)
	}
	for _, vid := range vids {
		exec.Command("bridge", "vlan", "add", "vid", vid, "dev", "Bridge", "self").Run()
		words := strings.Fields("link add link Bridge up name Vlan" + vid + " type vlan id " + vid)
		if said, err := exec.Command("ip", words...).CombinedOutput(); err != nil {
			fmt.Printf("%s %s", vid, said)
		}
	}
}

func TestMain(m *testing.M) {
	if vids := os.Getenv("MAKE_VLANS"); vids != "" {
		makeVlans(strings.Fields(vids))
		return
	}
	os.Exit(m.Run())
}

func mock(scenario, vids string) (string, error) {
	command := exec.Command("nlsh", "mock", scenario, "-q", "--path", "--", os.Args[0])
	command.Env = append(os.Environ(), "MAKE_VLANS="+vids)
	said, err := command.Output()
	return string(said), err
}

func TestAVlanThatIsThereIsTold(t *testing.T) {
	said, err := mock("vlans.yaml", "10 20")
	if err != nil || said != "20 RTNETLINK answers: File exists\n" {
		t.Fatalf("%q %v", said, err)
	}
}

func TestAMissingVlanIsFound(t *testing.T) {
	if _, err := mock("vlans.yaml", "10"); err == nil {
		t.Fatal("nlsh mock is satisfied without VLAN 20")
	}
}
