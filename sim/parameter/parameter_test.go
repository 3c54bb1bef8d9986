package parameter

import (
	"slices"
	"strings"
	"testing"

	"pview/sim"
)

// TestParametersAreRead: each value goes into a machine and comes back, and what is written is read.
func TestParametersAreRead(t *testing.T) {
	seen := map[string]bool{}
	for i := range All {
		p := &All[i]
		if seen[p.Name] || p.Doc == "" || p.Title == "" || strings.HasSuffix(p.Doc, ".") ||
			!slices.Contains(Groups, p.Group) {
			t.Errorf("%s: it is there twice, or not described, or in no group", p.Name)
		}
		seen[p.Name] = true
		m := sim.Ideal(1)
		if v, same := p.Get(m); v != p.Default || !same {
			t.Errorf("%s: %g on an ideal machine, not %g", p.Name, v, p.Default)
		}
		values := []float64{0, 1, 3, 1234, 1.0 / 3, 12345.678, 1e6}
		switch p.Kind {
		case KindChoice:
			values = nil
			for i := range p.Choices {
				values = append(values, float64(i))
			}
		case KindSwitch:
			values = []float64{1, 0}
		case KindCount, KindSize:
			values = []float64{1, 2, 7, 4096, 65535}
		}
		for _, v := range append(values, p.Default) {
			text := p.Format(v)
			if back, err := p.Parse(text); err != nil || back != v {
				t.Errorf("%s: %g is written %q, which reads %g (%v)", p.Name, v, text, back, err)
			}
			if _, err := p.Parse(p.Show(v)); err != nil {
				t.Errorf("%s: %q is not read: %v", p.Name, p.Show(v), err)
			}
			m := sim.Ideal(1)
			p.Set(m, v)
			if got, _ := p.Get(m); got != v {
				t.Errorf("%s: %g was set, %g is there", p.Name, v, got)
			}
		}
	}
}

// TestQuantities: units, and what numbers without them mean.
func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		parameter, text string
		want            float64
		shown           string
	}{
		{"latency", "25us", 25000, "25 us"},
		{"latency", "0.000001", 1000, "1 us"},
		{"latency", "2.5 ms", 2.5e6, "2.5 ms"},
		{"latency", "0", 0, "0 s"},
		{"bandwidth", "1.5GB/s", 1536, "1.5 GB/s"},
		{"bandwidth", "100", 100, "100 MB/s"},
		{"bandwidth", "0", 0, "infinite"},
		{"bandwidth", "infinite", 0, "infinite"},
		{"eager-limit", "64K", 65536, "64 KiB"},
		{"eager-limit", "64kB", 64000, "62.5 KiB"},
		{"eager-limit", "as recorded", -1, "as recorded"},
		{"buses", "No limit", 0, "no limit"},
		{"policy", "rr", 1, "RR"},
		{"asynch-sends", "on", 1, "on"},
		{"cpu-ratio", "1.25", 1.25, "1.25"},
		{"eager-limit", "1000", 1000, "1000 B"},
		{"nodes", "4194303", 4194303, "4194303"}, // 2^22 - 1
		{"best-priority", "-5", -5, "-5"},
		{"best-priority", "1e9", 1e9, "1000000000"},
		{"asynch-sends", "No", 0, "off"},
	} {
		p := ByName(c.parameter)
		v, err := p.Parse(c.text)
		if err != nil || v != c.want || p.Show(v) != c.shown {
			t.Errorf("%s %q: %g (%v), shown as %q", c.parameter, c.text, v, err, p.Show(v))
		}
	}
	for _, c := range [][2]string{{"latency", "5 parsecs"}, {"bandwidth", "-1"}, {"buses", "1.5"}, {"buses", "4194304"},
		{"policy", "LOTTERY"}, {"asynch-sends", "perhaps"}, {"cpu-ratio", "fast"}, {"best-priority", "high"},
		{"best-priority", "1.1e9"}, {"best-priority", "-1.1e9"}, {"best-priority", "nan"}} {
		if v, err := ByName(c[0]).Parse(c[1]); err == nil || v != 0 {
			t.Errorf("%s %q: read as %g", c[0], c[1], v)
		}
	}
	// a choice that the table has not
	policy := ByName("policy")
	for _, v := range []float64{-1, float64(len(policy.Choices))} {
		if got := policy.Format(v); got != "" {
			t.Errorf("policy %g is %q", v, got)
		}
	}
}

// TestScaling: halving and doubling.
func TestScaling(t *testing.T) {
	for _, c := range []struct {
		parameter       string
		v, factor, want float64
		ok              bool
	}{
		{"latency", 5000, 0.5, 2500, true},
		{"buses", 3, 0.5, 2, true},
		{"buses", 1, 0.5, 1, false},
		{"buses", 0, 2, 0, false}, // no limit is no number
		{"eager-limit", -1, 2, -1, false},
		{"policy", 1, 2, 1, false},
		{"bandwidth", 1, 2, 2, true},
		{"latency", 1, 0.5, 0.5, true},
		{"eager-limit", 3, 0.5, 2, true},
		{"eager-limit", 4194303, 2, 8388606, true}, // sizes have no greatest value
		{"nodes", 4194302, 2, 4194303, true},
		{"nodes", 4194303, 2, 4194303, false},
		{"latency", 5e17, 2, 1e18, true},
		{"latency", 1e18, 2, 2e18, false},
	} {
		if got, ok := ByName(c.parameter).Scale(c.v, c.factor); got != c.want || ok != c.ok {
			t.Errorf("%s %g x %g: %g, %t", c.parameter, c.v, c.factor, got, ok)
		}
	}
}

// Values of machines that lack what they are read from: defaults.
func TestEmptyMachine(t *testing.T) {
	m := &sim.Machine{}
	for name, want := range map[string]float64{"latency": 0, "cpus": 1, "bandwidth": 0, "process-per-node": 1,
		"mapping": 0, "policy": 0, "nodes": 0} {
		if v, same := ByName(name).Get(m); v != want || !same {
			t.Errorf("%s: %g, everywhere %v, not %g", name, v, same, want)
		}
	}
	seed := ByName("seed")
	if seed.Applies(m) {
		t.Error("a seed without random values")
	}
	m.Vary(sim.Variation{Parameter: "latency",
		Distribution: sim.Distribution{Kind: "normal", Params: [3]float64{5, 1}}})
	if !seed.Applies(m) {
		t.Error("no seed for a random value")
	}
}

// A header or flit at the speed of the link again leaves nothing behind.
func TestAsLink(t *testing.T) {
	m := sim.Ideal(2)
	m.Direct.Startup, m.Direct.PerByte = 3, 4
	for _, name := range []string{"control-startup", "control-bandwidth", "flit-startup", "flit-bandwidth"} {
		p := ByName(name)
		c := m.Clone()
		p.Set(c, 7)
		if c.Equal(m) {
			t.Errorf("%s: nothing changed", name)
		}
		p.Set(c, -1)
		if !c.Equal(m) {
			t.Errorf("%s: %+v", name, c.Direct)
		}
	}
}

// TestPresets: each is a machine that can be.
func TestPresets(t *testing.T) {
	p := &sim.Program{Ptasks: []sim.Ptask{{Tasks: 4}},
		Tasks: []sim.Task{{Threads: 1}, {Threads: 2}, {Threads: 1}, {Threads: 1}}}
	p.Threads = make([]sim.Thread, 5)
	for i := range presets {
		m := presets[i].For(p)
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", presets[i].Name, err)
		}
		if at, err := m.Placement(p); err != nil || presets[i].OneNode != (at[3] == 0) {
			t.Errorf("%s: tasks are on nodes %v (%v)", presets[i].Name, at, err)
		}
		if presets[i].Doc == "" || presets[i].Source == "" {
			t.Errorf("%s: it does not say what it is, and whose the figures are", presets[i].Name)
		}
	}
	none := &sim.Program{}
	none.AddPtask()
	if m := PresetByName("shared-memory").For(none); len(m.Nodes) > 0 {
		t.Errorf("without tasks: %+v", m.Nodes)
	}
	none.AddTask(0)
	if m := PresetByName("shared-memory").For(none); m.Nodes[0].CPUs != 1 {
		t.Errorf("without threads: %+v", m.Nodes)
	}
	now := PresetByName("now").For(p)
	if now.Nodes[3].Latency != 500e3 || now.Clusters[0].Bandwidth != 1 || now.Clusters[0].Buses != 1 {
		t.Errorf("the thesis' NOW: %+v", now.Clusters[0])
	}
}

// TestClone: a copy shares nothing.
func TestClone(t *testing.T) {
	m := sim.Ideal(2)
	m.Mapping = []sim.Mapping{{Kind: sim.Explicit, Nodes: []int{0, 1}}}
	m.Modules = []sim.Module{{Type: 1, Value: 2, Ratio: 3}}
	c := m.Clone()
	if !m.Equal(c) || !c.Equal(m) {
		t.Error("a copy is not equal")
	}
	c.Nodes[0].Latency, c.Mapping[0].Nodes[0], c.Clusters[0].Bandwidth = 1, 1, 1
	c.SetModule(sim.Module{Type: 1, Value: 2, Ratio: 4})
	c.SetModule(sim.Module{Type: 1, Value: 3, Ratio: 5})
	c.SetNodes(3)
	if m.Nodes[0].Latency != 0 || m.Mapping[0].Nodes[0] != 0 || m.Clusters[0].Bandwidth != 0 ||
		m.Modules[0].Ratio != 3 || len(m.Modules) != 1 || len(m.Nodes) != 2 {
		t.Errorf("the machine changed with its copy: %+v", m)
	}
	limited, wider := m.Clone(), m.Clone()
	limited.EagerLimit = 7
	wider.Nodes[1].CPUs++
	if limited.Equal(m) || wider.Equal(m) {
		t.Error("machines that differ are equal")
	}
	if len(c.Modules) != 2 || c.Modules[0].Ratio != 4 || len(c.Nodes) != 3 {
		t.Errorf("%+v", c)
	}
}
