package tui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/mapping"
	"pview/sim/puppet"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// change runs a command that changes the machine, and waits for the prediction.
func change(d *driver, command string) {
	d.command(command)
	d.fire()
}

// onHeat opens the simulator on the page of the network of heat2d, 2 x 4 tasks.
func onHeat(t *testing.T, width, height int, network string) *driver {
	t.Helper()
	d := drive(t, width, height, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"},
		Machine: "ideal"})
	d.press("s")
	change(d, "machine-set network "+network)
	d.command("sim-page Network")
	return d
}

// TestNetworkPage: a topology is chosen on the page of the network, its shape is changed, links and prediction follow;
// all of it can be undone, is saved with the machine, and returns when the machine is loaded.
func TestNetworkPage(t *testing.T) {
	for _, size := range screens() {
		d := onHeat(t, size[0], size[1], "direct-contention")
		s := d.simulator().Of(d.m.Windows[0].Trace)
		d.sees("Topology", "complete 8")
		d.press("down", "down", "enter")
		d.press("/")
		d.typed("torus 2 4")
		d.press("enter")
		d.fire()
		change(d, "machine-set link-bandwidth 100MB/s")
		d.sees("torus 2 4", "busiest task")
		grid := shown(s).Result
		if grid.Hops == 0 || grid.Links == nil {
			t.Fatalf("%d hops, links %v", grid.Hops, grid.Links)
		}
		change(d, "machine-set topology ring 8")
		d.sees("ring 8", "(was complete 8)")
		ring := shown(s).Result
		if ring.Hops == grid.Hops || ring.Total == grid.Total {
			t.Errorf("ring: %d hops, %d ns; torus: %d hops, %d ns", ring.Hops, ring.Total, grid.Hops, grid.Total)
		}
		if title := shown(s).Title(); !strings.Contains(title, "topology ring 8") {
			t.Errorf("the run is called %q", title)
		}
		d.press("u")
		d.fire()
		d.sees("torus 2 4")
		if shown(s).Result.Total != grid.Total {
			t.Error("undo does not bring the torus back")
		}
		file := filepath.Join(t.TempDir(), "torus.prv")
		d.command("save-prediction " + file)
		change(d, "simulate ideal")
		change(d, "simulate "+strings.TrimSuffix(file, ".prv")+".cfg")
		d.sees("torus 2 4")
		if shown(s).Result.Total != grid.Total || shown(s).Result.Hops != grid.Hops {
			t.Errorf("the machine that was saved predicts %d ns, not %d", shown(s).Result.Total, grid.Total)
		}
		change(d, "machine-set topology klein 8")
		d.sees("there is no topology")
		change(d, "machine-set topology torus 2 2")
		d.sees("has processors 0 to 3")
	}
}

// TestOperationNetwork: a collective operation that the program calls gets a network of its own, whose shape and links
// are changed; it can be undone.
func TestOperationNetwork(t *testing.T) {
	for _, size := range screens() {
		d := onHeat(t, size[0], size[1], "direct")
		s := d.simulator().Of(d.m.Windows[0].Trace)
		change(d, "machine-set link-startup 10us")
		first := shown(s).Result.Total
		d.press("down")
		d.sees("Links of", "messages")
		d.press("enter")
		d.sees("Allreduce", "calls")
		d.press("/")
		d.typed("Allreduce")
		d.press("enter")
		d.sees("Its own", "of other messages", "Allreduce: tasks on")
		d.press("down", "enter")
		d.fire()
		d.sees("Topology of Allreduce", "complete 8", "Switching")
		if shown(s).Result.Total != first {
			t.Errorf("a copy of the network predicts %d ns, not %d", shown(s).Result.Total, first)
		}
		d.press("down", "enter")
		d.press("/")
		d.typed("line 8")
		d.press("enter")
		d.fire()
		d.sees("Allreduce: tasks on line 8")
		if total := shown(s).Result.Total; total <= first {
			t.Errorf("%d ns, not more than %d", total, first)
		}
		d.press("down", "down")
		d.press("0", "enter")
		d.fire()
		if total := shown(s).Result.Total; total >= first {
			t.Errorf("without a startup %d ns, not less than %d", total, first)
		}
		d.press("u", "u", "u")
		d.fire()
		d.sees("of other messages")
		if shown(s).Result.Total != first || s.Setup().Machine.Routines != nil {
			t.Errorf("undone: %d ns, %v", shown(s).Result.Total, s.Setup().Machine.Routines)
		}
	}
}

// Check 31: the network is changed five times in the panel, each time in another part. The trace is neither re-read nor
// changed, and the original settings predict the original result.
func TestWhatIf(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.prv.gz")
	for _, ext := range []string{"prv.gz", "pcf", "row"} {
		text, err := os.ReadFile("../testdata/traces/heat2d_8/heat2d_8." + ext)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "run."+ext), string(text))
	}
	d := drive(t, 130, 40, Options{Paths: []string{file}, Machine: "ideal"})
	if err := os.RemoveAll(dir); err != nil { // a second reading would fail
		t.Fatal(err)
	}
	measured := d.m.Windows[0].Trace.Data
	written := func() string {
		var b bytes.Buffer
		if err := prv.Write(context.Background(), &b, measured); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	before := written()
	d.press("s")
	change(d, "machine-set network direct")
	change(d, "machine-set link-startup 10us")
	change(d, "machine-set link-bandwidth 100MB/s")
	s := d.simulator().Of(d.m.Windows[0].Trace)
	start := shown(s)
	last := start.Result
	for _, command := range []string{"machine-set topology ring 8", "machine-set link-bandwidth 50MB/s",
		"machine-set switching circuit", "map-tasks random",
		"machine-set collective-network Allreduce=star 8 link-startup=200us"} {
		change(d, command)
		if r := shown(s).Result; r.Total == last.Total || r == last {
			t.Errorf("%s predicts %d ns as before", command, r.Total)
		}
		last = shown(s).Result
		if d.m.Windows[0].Trace.Data != measured || written() != before {
			t.Fatalf("%s changes the trace", command)
		}
	}
	for range 5 {
		d.press("u")
		d.fire()
	}
	if r := shown(s); !reflect.DeepEqual(r.Result, start.Result) || !r.Machine.Equal(start.Machine) {
		t.Errorf("back at the first settings: %d ns, not %d", r.Result.Total, start.Result.Total)
	}
	s.History().DropTraces()
	change(d, "machine-set collective-network Allreduce=messages")
	again, err := start.Run(context.Background(), s.Program().Program, sim.Options{})
	if err != nil || again.Total != start.Result.Total || !reflect.DeepEqual(again.Tasks, start.Result.Tasks) {
		t.Errorf("simulated again: %v, %v", again, err)
	}
}

// TestMapTasks: tasks are placed by rule and from the file of a launcher; a wrong file is refused with its line.
func TestMapTasks(t *testing.T) {
	d := onHeat(t, 130, 40, "direct")
	s := d.simulator().Of(d.m.Windows[0].Trace)
	placed := func() (list []int) {
		at, err := s.Setup().Machine.Placement(s.Program().Program)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range at {
			list = append(list, int(n))
		}
		return list
	}
	change(d, "map-tasks random")
	if first := placed(); slices.Equal(first, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Error("a random mapping in order")
	}
	want := mapping.Mapping{7, 6, 5, 4, 3, 2, 1, 0}
	dir := t.TempDir()
	path := filepath.Join(dir, "best.rankfile")
	writeFile(t, path,
		"rank 0=node8 slot=0\nrank 1=node7 slot=0\nrank 2=node6 slot=0\nrank 3=node5 slot=0\nrank 4=node4 "+
			"slot=0\nrank 5=node3 slot=0\nrank 6=node2 slot=0\nrank 7=node1 slot=0\n")
	change(d, "map-tasks "+path)
	if got := placed(); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	bad := filepath.Join(dir, "bad.map")
	writeFile(t, bad, "0\n1\nx\n")
	change(d, "map-tasks "+bad)
	d.sees(`bad.map:3: "x"`)
}

// On a screen of 80x24 the figures of the network are whole: a line too short for them is wrapped.
func TestNetworkPaneNarrow(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.command("network")
	d.sees("1,200 messages, 2.949 MB, 0.20 links each · busiest task 1+ -> task 5+:",
		"368.6 kB · nodes (no topology: the page Network of What-if sets one)")
	d.press("tab")
	d.sees("in all 120 messages, 276.5 kB from task 1 · 120 messages, 276.5 kB to task 1")
}

// Without messages the network has no load: there were 0.00 links each.
func TestNetworkPaneWithoutMessages(t *testing.T) {
	d := drive(t, 100, 30, Options{Paths: []string{"../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv"}})
	d.command("network")
	d.sees("no messages · nodes (no topology")
	d.misses("links each")
}

// TestNetworkPane: the links, the matrix and the distances of the time in view; a cell of the matrix leads to its
// messages.
func TestNetworkPane(t *testing.T) {
	d := onHeat(t, 140, 44, "direct")
	change(d, "machine-set topology mesh 2 4")
	d.press("esc")
	d.command("network")
	d.sees("mesh 2 4", "busiest task", "links each")
	d.press("tab")
	d.sees("task 1 -> task 1: nothing", "bytes 0 ", "in all 1", " from task 1 · ", " to task 1")
	d.press("right")
	d.sees("task 1 -> task 2", "over 1 link")
	d.press("b", "b")
	d.sees("links between them")
	v := d.m.Focused()
	d.press("enter")
	first := v.Cursor
	c := &v.Trace.Data.Comms
	isMessage := func() bool {
		for i := range c.Len() {
			if c.Times[0][i] == v.Cursor && c.Send[i] == 0 && c.Recv[i] == 1 {
				return true
			}
		}
		return false
	}
	if !isMessage() || v.CursorRow != 0 {
		t.Errorf("at %d in row %d no message from task 1 to task 2 is sent", v.Cursor, v.CursorRow)
	}
	if d.press("enter"); v.Cursor <= first || !isMessage() {
		t.Errorf("the next message is at %d, after %d", v.Cursor, first)
	}
	d.press("tab")
	d.sees("on average", "at most 4 between two processors")
	d.press("tab", "enter")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		for range 3 {
			d.press("tab")
			d.checkSize(size[0], size[1], "the pane")
		}
	}
}

// The models of direct networks are loaded as machines.
func TestModelAsMachine(t *testing.T) {
	d := onHeat(t, 130, 40, "direct")
	file := filepath.Join(t.TempDir(), "ring.model")
	writeFile(t, file,
		"network ring 8\nmap 0 1 2 3 4 5 6 7\nswitching circuit\nlink-speed 1e-6 1e-9\npacket-size none\n")
	if _, err := puppet.OpenModel(file); err != nil {
		t.Fatal(err)
	}
	change(d, "simulate "+file)
	d.sees("ring 8", "circuit")
}

// A topology without links between processors would change nothing.
func TestTopologyNeedsLinks(t *testing.T) {
	d := onHeat(t, 120, 40, "buses")
	change(d, "machine-set topology ring 8")
	d.sees("set network to direct or direct-contention first")
}
