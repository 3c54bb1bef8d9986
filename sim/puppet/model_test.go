package puppet_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pview/sim"
	"pview/sim/puppet"
)

// basic has the options that each network needs.
const basic = "network line 3\nmap 2 0\nswitching packet\nlink-speed 1e-5 1e-6\npacket-size 64\n"

// What is read is written in the order of the table, defaults without lines of their own left out.
func TestWriteModel(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"packet-size none\nlink-speed 10e-6 0.000001\nmap 2 0\nswitching packet\nnetwork line 3 # as a line\n",
			"network line 3\nmap 2 0\nswitching packet\nlink-speed 1e-5 1e-6\npacket-size none\n" +
				"coll-sendtype buffered\nstandard-send buffered\n"},
		{basic + "control-size 8\ncontrol-speed 2e-6 0\nflit-size 4\nflit-speed 0 1e-9\nlocal-speed 0 2e-10\n" +
			"barrier-size 1\ncoll-sendtype nospace\nstandard-send 1000\ncpu-speed 1 0.5\ncontention on\n" +
			"algorithm binomial for mpi_bcast MPI_Barrier\nalgorithm recursive-doubling/2048/ring for MPI_Allreduce\n",
			basic + "control-size 8\ncontrol-speed 2e-6 0\nflit-size 4\nflit-speed 0 1e-9\nlocal-speed 0 2e-10\n" +
				"barrier-size 1\ncoll-sendtype nospace\nstandard-send 1000\ncpu-speed 1 0.5\ncontention on\n" +
				"algorithm binomial for MPI_Barrier\nalgorithm binomial for MPI_Bcast\n" +
				"algorithm recursive-doubling/2048/ring for MPI_Allreduce\n"},
		{basic + "contention on\ncontention off\nstandard-send 0\nstandard-send synchronous\ncontrol-size 8\n" +
			"control-size 0\nlocal-speed 3e-6 0\n",
			basic + "local-speed 3e-6 0\ncoll-sendtype buffered\nstandard-send synchronous\n"},
		{basic + "standard-send 0\nswitching wormhole for MPI_Scan MPI_Barrier\nmap 1 0 for MPI_Scan\n",
			basic + strings.NewReplacer("packet\n", "wormhole for MPI_Barrier\n", "\n", " for MPI_Barrier\n").
				Replace(basic) + strings.NewReplacer("packet\n", "wormhole for MPI_Scan\n", "2 0", "1 0", "\n",
				" for MPI_Scan\n").Replace(basic) + "coll-sendtype buffered\nstandard-send 0\n"},
	} {
		m, err := puppet.ReadModel("a.model", strings.NewReader(c.in))
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		var b strings.Builder
		if err := m.Write(&b); err != nil || b.String() != c.want {
			t.Errorf("%v:\n%s\nnot\n%s", err, b.String(), c.want)
		}
	}
}

// A custom network is a file beside the model, or anywhere.
func TestCustomNetwork(t *testing.T) {
	dir := t.TempDir()
	graph := filepath.Join(dir, "graph")
	if err := os.WriteFile(graph, []byte("1\n2\n0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rest := strings.TrimPrefix(basic, "network line 3\n")
	for _, name := range []string{"graph", graph} {
		m, err := puppet.ReadModel(filepath.Join(dir, "a.model"), strings.NewReader("network custom "+name+"\n"+rest))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := m.Write(&b); err != nil || !strings.HasPrefix(b.String(), "network custom "+name+"\n") {
			t.Errorf("%v: %s", err, b.String())
		}
		if machine, err := m.Machine(2); err != nil || len(machine.Nodes) != 3 {
			t.Errorf("%+v, %v", machine, err)
		}
	}
	for network, want := range map[string]string{
		"custom":     "network: custom needs the name of a file",
		"custom a b": "network: custom needs the name of a file",
	} {
		_, err := puppet.ReadModel("a.model", strings.NewReader("network "+network+"\n"+rest))
		if err == nil || err.Error() != "a.model:1: "+want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	_, err := puppet.ReadModel("a.model", strings.NewReader("network custom none\n"+rest))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	// The later network is no custom one, and the other way round.
	for _, c := range []struct{ first, second, want string }{
		{"line 4", "custom " + graph, "custom " + graph}, {"custom " + graph, "line 4", "line 4"},
	} {
		m, err := puppet.ReadModel("a.model", strings.NewReader("network "+c.first+"\nnetwork "+c.second+"\n"+rest))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Networks[0].ShapeText(); got != c.want {
			t.Errorf("%s, then %s: %s", c.first, c.second, got)
		}
	}
}

// Options that are wrong.
func TestModelErrors(t *testing.T) {
	const op = "algorithm: there is no algorithm"
	for _, c := range []struct{ line, want string }{
		{"network", "network needs NAME NUMBERS..."},
		{"network line", "network: line needs numbers"},
		{"map x", `map: "x" is no processor`},
		{"map for MPI_Scan", "map needs PROCESSOR..."},
		{"map -1", `map: "-1" is no processor`},
		{"map 1048576", `map: "1048576" is no processor`}, // 2^20
		{"link-speed 1 x", `link-speed: "x" must be a time in seconds, >= 0`},
		{"link-speed 1 1 1", "link-speed: it is two times in seconds: for each packet, and for each byte"},
		{"control-speed x 1", `control-speed: "x" must be a time in seconds, >= 0`},
		{"packet-size -1", `packet-size: "-1" must be a number of bytes >= 0`},
		{"packet-size 140737488355328", `packet-size: "140737488355328" must be a number of bytes >= 0`}, // 2^47
		{"barrier-size none", `barrier-size: "none" must be a number of bytes >= 0`},
		{"coll-sendtype ready", `coll-sendtype: it is buffered, nospace or synchronous, not "ready"`},
		{"coll-sendtype standard", `coll-sendtype: it is buffered, nospace or synchronous, not "standard"`},
		{"coll-sendtype", "coll-sendtype needs MODE"},
		{"standard-send fast",
			`standard-send: it is buffered, nospace or synchronous, not "fast", nor a number of bytes`},
		{"standard-send 1 2", "standard-send takes one value"},
		{"standard-send 1 for MPI_Scan", "standard-send holds for all communication"},
		{"cpu-speed 1 0", `cpu-speed: "0" must be a ratio > 0`},
		{"cpu-speed 1.1e9", `cpu-speed: "1.1e9" must be a ratio > 0`},
		{"cpu-speed nan", `cpu-speed: "nan" must be a ratio > 0`},
		{"cpu-speed x", `cpu-speed: "x" must be a ratio > 0`},
		{"contention yes", `contention: it is on or off, not "yes"`},
		{"algorithm ring", `algorithm needs "for" and operations`},
		{"algorithm ring for", `algorithm: no operation after "for"`},
		{"algorithm ring for Scan", `algorithm: there is no collective operation "Scan"`},
		{"algorithm ring for MPI_Bcast", op + ` "ring" of Bcast`},
	} {
		_, err := puppet.ReadModel("a.model", strings.NewReader(basic+"\n"+c.line+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "a.model:7: "+c.want) {
			t.Errorf("%s: %v, not %s", c.line, err, c.want)
		}
	}
	for _, line := range []string{"map 1048575", "packet-size 140737488355327", "cpu-speed 1e9"} {
		if _, err := puppet.ReadModel("a.model", strings.NewReader(basic+line+"\n")); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	broken := io.MultiReader(strings.NewReader(basic), iotest.ErrReader(errors.New("no disk")))
	if _, err := puppet.ReadModel("a.model", broken); err == nil || err.Error() != "a.model:6: no disk" {
		t.Errorf("a file that breaks off: %v", err)
	}
	if _, err := puppet.OpenModel(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for text, want := range map[string]string{
		"":                 "a.model: the network of messages has no network",
		"network line 3\n": "a.model: the network of messages has no map",
		strings.TrimSuffix(basic, "packet-size 64\n"): "a.model: the network of messages has no packet-size",
	} {
		if _, err := puppet.ReadModel("a.model", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// The machine of a model: processors, where processes run, speeds from the first again, sends, own networks.
func TestMachine(t *testing.T) {
	machine := func(text string) *sim.Machine {
		t.Helper()
		m, err := puppet.ReadModel("dir/a.model", strings.NewReader(basic+text))
		if err != nil {
			t.Fatal(err)
		}
		x, err := m.Machine(3)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	m := machine("cpu-speed 1 0.5\nlink-speed 5e-6 0 for MPI_Scan\n")
	var speeds []float64
	for i := range m.Nodes {
		speeds = append(speeds, m.Nodes[i].Speed)
	}
	if m.Name != "dir/a.model" || m.Clusters[0].Name != "a.model" || m.Scheduler.Policy != "SHARED" ||
		m.Network != "direct" || m.Direct.Map != nil || m.EagerLimit != -1 || m.StandardSend != sim.ModeStandard ||
		!slices.Equal(speeds, []float64{1, 0.5, 1}) || !slices.Equal(m.Mapping[0].Nodes, []int{2, 0, 2}) {
		t.Errorf("%+v", m)
	}
	if len(m.Routines) != 1 || m.Routines[0].Op != 14 || m.Routines[0].Startup != 5*us || m.Direct.Startup != 10*us ||
		!slices.Equal(m.Routines[0].Map, []int32{2, 0}) {
		t.Errorf("own networks: %+v", m.Routines)
	}
	if m := machine("cpu-speed 2\n"); m.Nodes[0].Speed != 2 || m.Nodes[2].Speed != 2 {
		t.Errorf("one speed for all: %+v", m.Nodes)
	}
	if m := machine("contention on\n"); m.Network != "direct-contention" || m.Nodes[1].Speed != 1 {
		t.Errorf("contention: %+v", m)
	}
	for _, c := range []struct {
		text  string
		limit int64
		mode  sim.SendMode
	}{
		{"standard-send 0\n", 1, sim.ModeStandard}, // from 1 byte on a send is synchronous
		{"standard-send 1000\n", 1001, sim.ModeStandard},
		{"standard-send buffered\n", -1, sim.ModeStandard},
		{"standard-send synchronous\n", -1, sim.ModeSynchronous},
		{"standard-send 1000\nstandard-send nospace\n", -1, sim.ModeNoSpace},
		{"standard-send nospace\nstandard-send 1000\n", 1001, sim.ModeStandard},
	} {
		if m := machine(c.text); m.EagerLimit != c.limit || m.StandardSend != c.mode {
			t.Errorf("%s: %d, %v", c.text, m.EagerLimit, m.StandardSend)
		}
	}
	m = machine("coll-sendtype synchronous\nbarrier-size 7\nalgorithm binomial for MPI_Bcast\n")
	if e := m.Expansion; e.Send != sim.ModeSynchronous || e.Barrier != 7 || e.Algorithms[1].String() != "binomial" {
		t.Errorf("%+v", e)
	}
}

// Maps that a machine cannot have: processors beyond the last, and processes that share a processor of one network
// only. A graph must have a way there and back between the first process and each other.
func TestMaps(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "graph"), []byte("1 2\n0\n-\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text      string
		processes int
		want      string // "": none
	}{
		{"map 2 0 1\n", 3, ""},
		{"map 2 3\n", 1, ""},
		{"map 2 3\n", 2, "6: map: line 3 has no processor 3"},
		{"map 0 1 for MPI_Scan\n", 4, ""},
		{"map 0 0 for MPI_Scan\n", 1, ""},
		{"map 0 0 for MPI_Scan\n", 2,
			"6: map: processes 0 and 1 share a processor of one network, but not of that of messages"},
		{"map 0 1 2 for MPI_Scan\n", 3,
			"6: map: processes 0 and 2 share a processor of one network, but not of that of MPI_Scan"},
		{"map 0 1 3 for MPI_Scan\n", 3, "6: map: line 3 has no processor 3"},
		{"network custom graph\nmap 0 1\n", 2, ""},
		{"network custom graph\nmap 0 2\n", 2, "6: network: there is no way from processor 2 to processor 0"},
		{"network custom graph\nmap 2 0\n", 2, "6: network: there is no way from processor 2 to processor 0"},
	} {
		path := filepath.Join(dir, "a.model")
		m, err := puppet.ReadModel(path, strings.NewReader(basic+c.text))
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if c.want != "" {
			want = path + ":" + c.want
		}
		_, err = m.Machine(c.processes)
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%q: %s, not %s", c.text, got, want)
		}
	}
}

// The table of options is a copy.
func TestOptions(t *testing.T) {
	list := puppet.Options()
	first := list[0].Name
	list[0].Name = "changed"
	if again := puppet.Options(); again[0].Name != first || first != "network" || len(again) != 16 {
		t.Errorf("%+v", again)
	}
}
