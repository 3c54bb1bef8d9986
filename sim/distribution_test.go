package sim

import (
	"math"
	"testing"
)

// Parameters of distributions, each with the mean of its values; those with a mean of -1 are reported.
func TestDistributionParameters(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		kind   string
		p      [3]float64
		mean   float64
		scaled [3]float64 // by 10
	}{
		{"constant", [3]float64{3}, 3, [3]float64{30}},
		{"constant", [3]float64{0}, 0, [3]float64{0}}, {"constant", [3]float64{-1}, -1, [3]float64{}},
		{"uniform", [3]float64{2, 4}, 3, [3]float64{20, 40}}, {"uniform", [3]float64{4, 2}, -1, [3]float64{}},
		{"uniform", [3]float64{-8, -2}, -1, [3]float64{}}, // nothing above 0
		{"normal", [3]float64{5, 1}, 5, [3]float64{50, 10}}, {"normal", [3]float64{5, 0.5}, 5, [3]float64{50, 5}},
		{"normal", [3]float64{5, -1}, -1, [3]float64{}},
		{"lognormal", [3]float64{5, 2}, 5, [3]float64{50, 20}}, {"lognormal", [3]float64{5, -1}, -1, [3]float64{}},
		{"lognormal", [3]float64{0, 1}, -1, [3]float64{}},
		{"exponential", [3]float64{4}, 4, [3]float64{40}}, {"exponential", [3]float64{0}, -1, [3]float64{}},
		{"triangle", [3]float64{1, 2, 6}, 3, [3]float64{10, 20, 60}}, // (1 + 2 + 6) / 3
		{"triangle", [3]float64{2, 1, 6}, -1, [3]float64{}}, {"triangle", [3]float64{1, 7, 6}, -1, [3]float64{}},
		{"triangle", [3]float64{1, 1, 1}, -1, [3]float64{}},
		{"gamma", [3]float64{3, 2}, 6, [3]float64{3, 20}}, {"gamma", [3]float64{0, 2}, -1, [3]float64{}},
		{"weibull", [3]float64{1, 2}, 2, [3]float64{1, 20}}, {"weibull", [3]float64{1, 0}, -1, [3]float64{}},
		{"pareto", [3]float64{2, 3}, 3, [3]float64{20, 3}}, {"pareto", [3]float64{2, 0}, -1, [3]float64{}},
		{"uniform", [3]float64{0, inf}, -1, [3]float64{}}, {"normal", [3]float64{math.NaN(), 1}, -1, [3]float64{}},
		{"cauchy", [3]float64{1, 1}, -1, [3]float64{}},
	} {
		d := Distribution{c.kind, c.p}
		if err := d.check(false); (err == nil) != (c.mean >= 0) {
			t.Errorf("%s %v: %v", c.kind, c.p, err)
		} else if err == nil && (math.Abs(d.Mean()-c.mean) > 1e-9 || d.Scale(10) != Distribution{c.kind, c.scaled}) {
			t.Errorf("%s %v: mean %g, want %g; scaled %v, want %v", c.kind, c.p, d.Mean(), c.mean, d.Scale(10),
				c.scaled)
		}
	}
	added := Distribution{"uniform", [3]float64{-8, -2}}
	if err := added.check(true); err != nil {
		t.Errorf("values to be added: %v", err)
	}
	if d := (Distribution{"pareto", [3]float64{2, 1}}); !math.IsInf(d.Mean(), 1) {
		t.Errorf("the mean of %v is %g", d, d.Mean())
	}
}

// A parameter has one distribution; each draws from its own stream, whatever the others do.
func TestVary(t *testing.T) {
	m := &Machine{Seed: 3}
	if r := NewRandom(m); r != nil || r.Drawn(VaryLatency, 7) != 7 || r.PerByteOf(VaryBandwidth, 1, 8) != 8 {
		t.Error("a machine without distributions draws values")
	}
	m.Vary(Variation{Parameter: "latency", Distribution: Distribution{"uniform", [3]float64{10, 20}}})
	alone := NewRandom(m)
	m.Vary(Variation{Parameter: "cpu-ratio", Distribution: Distribution{"normal", [3]float64{1, 0.1}}})
	m.Vary(Variation{Parameter: "bandwidth", Distribution: Distribution{"constant", [3]float64{1e9 / (1 << 20)}}})
	both := NewRandom(m)
	for i := range 100 {
		both.Drawn(VarySpeed, 1)
		a, b := alone.Drawn(VaryLatency, 5), both.Drawn(VaryLatency, 5)
		if a != b || a < 10 || a >= 20 {
			t.Fatalf("latency %d is %g, and %g beside another distribution", i, a, b)
		}
	}
	if got := both.PerByteOf(VaryBandwidth, 5, 9); math.Abs(got-1) > 1e-12 {
		t.Errorf("a byte takes %g ns, want 1", got)
	}
	if got := both.Drawn(VaryWANLatency, 6); got != 6 {
		t.Errorf("a fixed latency is %g, want 6", got)
	}
	m.Vary(Variation{Parameter: "latency", Added: true, Distribution: Distribution{"constant", [3]float64{-4}}})
	r := NewRandom(m)
	if len(m.Random) != 3 || m.VariationOf("latency").Kind != "constant" || r.Drawn(VaryLatency, 5) != 1 {
		t.Errorf("%v; 5 and -4 make %g", m.Random, r.Drawn(VaryLatency, 5))
	}
	if got := r.Drawn(VaryLatency, 3); got != 0 { // there is no value from 0 on
		t.Errorf("3 and -4 make %g, want 0", got)
	}
	for _, p := range []string{"latency", "cpu-ratio", "bandwidth"} {
		m.Fix(p)
	}
	if m.Random != nil || m.VariationOf("latency") != nil {
		t.Errorf("fixed, the machine still has %v", m.Random)
	}
}
