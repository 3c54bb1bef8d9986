package dimemas_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/parameter"
)

// TestSaveMachine: a machine is restored completely, including settings without a Dimemas record.
func TestSaveMachine(t *testing.T) {
	m := sim.Ideal(3)
	for _, c := range [][2]string{{"latency", "25us"}, {"bandwidth", "1.5GB/s"}, {"buses", "2"}, {"eager-limit", "64K"},
		{"policy", "RR"}, {"quantum", "2ms"},
		{"context-switch", "1us"}, {"collective-model", "LOG"}, {"local-latency", "0.3us"}, {"cpus", "4"},
		{"wan-latency", "1us"}, {"cpu-ratio", "normal(1, 0.1)"}, {"busy-wait", "gamma(2, 3us)"}, {"seed", "9"},
		{"network", "together"}} {
		p := parameter.ByName(c[0])
		v, err := p.ParseSetting(c[1])
		if err != nil {
			t.Fatal(err)
		}
		p.Apply(m, v)
	}
	m.Vary(sim.Variation{Parameter: "local-latency",
		Distribution: sim.Distribution{Kind: "uniform", Params: [3]float64{-50, 50}}, Added: true})
	m.Nodes[1].Speed = 2
	m.SetModule(sim.Module{Type: 60000019, Value: 3, Ratio: 2})
	m.SetModule(sim.Module{Type: 60000019, Value: 4, Ratio: 1, Split: sim.Split{Threads: 4, Fork: 10e3, Join: 1.5e6}})
	m.Clusters[0].Collectives[11] = sim.CollectiveCost{FanIn: sim.Stage{Model: sim.ModelLinear, Size: sim.SizeMin},
		FanOut: sim.Stage{Model: sim.ModelNone, Size: sim.SizeMax}}
	path := filepath.Join(t.TempDir(), "m.cfg")
	if err := dimemas.SaveMachine(path, m); err != nil {
		t.Fatal(err)
	}
	got, err := dimemas.OpenMachine(path)
	if err != nil {
		t.Fatal(err)
	}
	got.Name, got.Clusters[0].Name, got.WAN.Name = m.Name, m.Clusters[0].Name, m.WAN.Name
	got.WAN.Traffic = m.WAN.Traffic // 1 and 0 both mean none
	if !sameRandom(got, m) {
		t.Errorf("random values %v, not %v", got.Random, m.Random)
	}
	got.Random = m.Random // the order differs
	if !reflect.DeepEqual(got, m) {
		t.Errorf("%+v\nis not\n%+v", got, m)
	}
	text, _ := os.ReadFile(path)
	if !strings.Contains(string(text), "// pview: eager-limit 64 KiB\n") {
		t.Errorf("%s", text)
	}
	// A note that is wrong is an error, with its line.
	bad := strings.Replace(string(text), "eager-limit 64 KiB", "eager-limit many", 1)
	if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := dimemas.OpenMachine(path); err == nil || !strings.Contains(err.Error(), "m.cfg:") ||
		!strings.Contains(err.Error(), "eager-limit") {
		t.Errorf("%v", err)
	}
}

// TestSaveNetworks: links between processors come back, with their own speeds and the networks of operations.
func TestSaveNetworks(t *testing.T) {
	m := sim.Ideal(8)
	m.Network, m.Direct.Topology = "direct-contention", "torus 2 4"
	for _, c := range [][2]string{{"switching", "circuit"}, {"link-startup", "10us"}, {"link-bandwidth", "1GB/s"},
		{"control-size", "8"}, {"control-startup", "1us"}, {"processor-startup", "3us"}} {
		p := parameter.ByName(c[0])
		v, err := p.Parse(c[1])
		if err != nil {
			t.Fatal(err)
		}
		p.Set(m, v)
	}
	if err := parameter.TextByName("collective-network").Set(m,
		"Bcast=ring 8 switching=wormhole flit-size=16 flit-startup=0.1us; Barrier=tree 2 3 "+
			"map=7/8/9/10/11/12/13/14"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.cfg")
	if err := dimemas.SaveMachine(path, m); err != nil {
		t.Fatal(err)
	}
	got, err := dimemas.OpenMachine(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Direct, m.Direct) || !reflect.DeepEqual(got.Routines, m.Routines) {
		text, _ := os.ReadFile(path)
		t.Errorf("%+v, %+v\nis not\n%+v, %+v\n%s", got.Direct, got.Routines, m.Direct, m.Routines, text)
	}
}

func sameRandom(a, b *sim.Machine) bool {
	set := func(m *sim.Machine) map[sim.Variation]bool {
		all := map[sim.Variation]bool{}
		for _, v := range m.Random {
			all[v] = true
		}
		return all
	}
	return reflect.DeepEqual(set(a), set(b))
}
