package dimemas_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
)

// small is a program of two tasks: one computes for 1500 ns, sends 8 bytes to the other, and has an event, then both
// take part in an Allreduce of 4 bytes.
func small(t *testing.T) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	all := p.AddCommunicator(0, 1, []int32{0, 1})
	p.Threads[0].AddCompute(1500)
	p.Threads[0].AddMessage(sim.Send, sim.Message{Peer: 1, Size: 8, Tag: 3})
	p.Threads[0].AddEvent(60000019, 2)
	p.Threads[1].AddMessage(sim.Recv, sim.Message{Peer: 0, Size: 8, Tag: 3})
	for i := range p.Threads {
		p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Op: 11, Communicator: all, Sent: 4, Received: 4})
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// The text of a small program. Its offsets are those of the lines of each task.
func TestSmallProgram(t *testing.T) {
	var out bytes.Buffer
	if err := dimemas.WriteProgram(&out, small(t), "x"); err != nil {
		t.Fatal(err)
	}
	prvtest.SameText(t, out.String(), `
		#DIMEMAS:"x":1,174:2(1,1),1,0,0
		d:1:1:2:0:1
		1:0:0:0.000001500
		2:0:0:1:-1:8:3:0:0
		20:0:0:60000019:2
		10:0:0:11:1:0:0:4:4:1
		3:1:0:0:-1:8:3:0:0
		10:1:0:11:1:0:0:4:4:1
		s:0:56
		s:1:133
	`)
	read, err := dimemas.ReadProgram(context.Background(), &out, "x.dim")
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := dimemas.WriteProgram(&again, read, "x"); err != nil ||
		!strings.Contains(again.String(), "20:0:0:60000019:2") {
		t.Errorf("%s %v", again.String(), err)
	}
}

// Errors for invalid lines of a program.
func TestFaultsOfPrograms(t *testing.T) {
	var b strings.Builder
	for _, line := range []string{
		"1:0:0:-1", "1:0:0:x", "1:0:0", "1:2:0:1", "1:0:1:1", "1:-1:0:1", "2:0:0:2:-1:8:3:0:0",
		"2:0:0:1:-1:-8:3:0:0", "2:0:0:1:-1:8:3:0:9", "2:0:0:1:-1:8:3:0:-1", "2:0:0:1:-1:8",
		"2:0:0:1:-1:8:x:0:0", "3:0:0:1:-1:8:3:0:3", "3:0:0:-2:-1:8:3:0:0", "10:0:0:16:1:0:0:4:4:1",
		"10:0:0:-1:1:0:0:4:4:1", "10:0:0:11:2:0:0:4:4:1", "10:0:0:11:1:0:0:4:4:4", "10:0:0:11:1:0:0:4:4:-1",
		"10:0:0:11:1:0:0:4", "10:0:0:11:1:0:0:4:4:1:1", "10:0:0:11:1:x:0:4:4:1", "10:0:0:10:1:2:0:4:4:1",
		"20:0:0:7", "20:0:0:x:1", "20:0:0:7:x", "20:0:0:-7:1", "9:0:0:1", "x", "30:0:0", "1:1:0:1",
		"d:1:1:2:0:2", "d:2:x", "s:0:x",
	} {
		text := "#DIMEMAS:\"x\":1,0:2(1,1),1,0,0\nd:1:1:2:0:1\n1:0:0:1\n" + line + "\n1:0:0:1\n"
		_, err := dimemas.ReadProgram(context.Background(), strings.NewReader(text), "x.dim")
		fmt.Fprintf(&b, "%s: %v\n", line, err)
	}
	for _, head := range []string{"", "#DIMEMAS", "#DIMEMAS:\"x\":1:2(1),0", "#DIMEMAS:\"x\":1:2(1,1,1),0",
		"#DIMEMAS:\"x\":1:2(1,0),0",
		"#DIMEMAS:\"x\":1:0(),0", "#DIMEMAS:\"x\":1:x(1),0", "#DIMEMAS:\"x\":1:2(1,x),0", "#Paraver"} {
		_, err := dimemas.ReadProgram(context.Background(), strings.NewReader(head+"\n1:0:0:1\n"), "x.dim")
		fmt.Fprintf(&b, "head %s: %v\n", head, err)
	}
	prvtest.SameFile(t, "testdata/programs.txt", b.String())
}

// The text of an ideal machine of two nodes.
func TestSmallMachine(t *testing.T) {
	prvtest.SameText(t, machine(t), `
		#DIMEMAS_CONFIGURATION

		"wide area network information" {"", 1, 0, 1, 0.0, 0.0, 1};;

		"environment information" {"", 0, "", 2, 0.0, 0, 1};;

		"multi node information" {0, 2, "", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;

		"predefined mapping information" {"1 TASKS_PER_NODE"};;

		"configuration files" {"", "", "", ""};;
		"file system parameters" {0.0, 0.0, 8.0, 0, 1.0};;
	`)
}

func machine(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := dimemas.WriteConfig(&out, &dimemas.Config{Machine: sim.Ideal(2)}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Errors for invalid records of a machine; each replaces the right one.
func TestFaultsOfMachines(t *testing.T) {
	const wide, nodes, node = `"wide area network information" {"", 1, 0, 1, 0.0, 0.0, 1};;`,
		`"environment information" {"", 0, "", 2, 0.0, 0, 1};;`,
		`"multi node information" {0, 2, "", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;`
	const mapped, files = `"predefined mapping information" {"1 TASKS_PER_NODE"};;`,
		`"file system parameters" {0.0, 0.0, 8.0, 0, 1.0};;`
	var b strings.Builder
	for _, c := range [][2]string{
		{"#DIMEMAS_CONFIGURATION\n", ""}, {wide, ""},
		{wide, `"wide area network information" {"", 2, 0, 1, 0.0, 0.0, 1};;`},
		{wide, `"wide area network information" {"", 1, 1, 1, 0.0, 0.0, 1};;`},
		{wide, `"wide area network information" {"", 1, 0, 1, 0.0, 0.0};;`},
		{wide, `"wide area network information" {"", 1, 0, 1, x, 0.0, 1};;`},
		{wide, `"wide area network information" {"", 1, 0, 1, -1.0, 0.0, 1};;`},
		{wide, `"wide area network information" {"", 1, 0, 1, 0.0, 0.0, 9};;`},
		{wide, `"wide area network information" "", 1, 0, 1, 0.0, 0.0, 1;;`},
		{wide, wide + " more"}, {wide, `"wide area {"", 1};;`}, {wide, `wide area {"", 1};;`},
		{wide, `"other" {"", 1};;`},
		{nodes, nodes + "\n" + wide}, {wide, nodes + "\n" + wide},
		{nodes, `"environment information" {"", 1, "", 2, 0.0, 0, 1};;`},
		{nodes, `"environment information" {"", 0, "", 1, 0.0, 0, 1};;`},
		{nodes, `"environment information" {"", 0, "", 3, 0.0, 0, 1};;`},
		{nodes, `"environment information" {"", 0, "", 0, 0.0, 0, 1};;`},
		{nodes, ""}, {node, `"multi node information" {1, 2, "", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;`},
		{node, `"multi node information" {0, 0, "", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;`},
		{node, `"multi node information" {0, 2, "", 0, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;`},
		{node, `"multi node information" {0, 2, "", 1, -1.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0.0};;`},
		{node, ""}, {mapped, `"predefined mapping information" {"0 TASKS_PER_NODE"};;`},
		{mapped, `"predefined mapping information" {"FILL_NODES"};;`},
		{mapped, `"predefined mapping information" {"x TASKS_PER_NODE"};;`},
		{mapped, `"predefined mapping information" {"SOMEHOW"};;`},
		{mapped, `"mapping information" {"", 2, [2] {0,1}};;`},
		{mapped, `"mapping information" {"", 2, [2] {0,2}};;`},
		{mapped, `"mapping information" {"", 2, [3] {0,1}};;`},
		{mapped, `"mapping information" {"", 1, [2] {0,1}};;`},
		{mapped, `"mapping information" {"", 0, [0] {}};;`},
		{files, `"file system parameters" {0.0, 0.0, 8.0, 0, 1.5};;`},
		{files, `"file system parameters" {0.0, 0.0, 8.0, 0};;`},
		{files, `"dedicated connection information" {0, 0, 1, 0, "", 0, "", 0.0, 0.0};;`},
	} {
		text := strings.Replace(machine(t), c[0], c[1], 1)
		_, err := dimemas.ParseConfig("x.cfg", []byte(text))
		fmt.Fprintf(&b, "%s\n  %v\n", strings.ReplaceAll(c[1], "\n", " "), err)
	}
	prvtest.SameFile(t, "testdata/machines.txt", b.String())
}
