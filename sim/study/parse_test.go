package study

import (
	"math"
	"slices"
	"testing"

	"pview/sim"
)

func idealCase(tasks int) *Case {
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	return &Case{Program: p, Machine: sim.Ideal(tasks)}
}

// A knob has a box within its limits; its start may be left out: latency is 5 us here.
func TestParseKnob(t *testing.T) {
	base := idealCase(2)
	for i := range base.Machine.Nodes {
		base.Machine.Nodes[i].Latency = 5000
	}
	for text, want := range map[string][4]float64{ // start, half, least, most, ns; 0: an error
		"latency=100us+-10us,1us..200us": {100e3, 10e3, 1e3, 200e3},
		"latency=+-10us,1us..200us":      {5e3, 10e3, 1e3, 200e3},
		"latency=1us+-10us,1us..200us":   {1e3, 10e3, 1e3, 200e3},
		"latency=200us+-1us,1us..200us":  {200e3, 1e3, 1e3, 200e3},
		"latency=0.9us+-10us,1us..200us": {}, "latency=201us+-10us,1us..200us": {}, "latency=5us+-0us,1us..200us": {},
		"latency=5us+-1us,5us..5us": {}, "latency=5us+-1us": {}, "latency=5us,1us..9us": {}, "latency": {},
		"latency=5us+-1us,9us": {}, "none=5us+-1us,1us..9us": {}, "model=5us+-1us,1us..9us": {},
		"latency=x+-1us,1us..9us": {},
	} {
		k, err := ParseKnob(text, base)
		if got := [4]float64{k.Start, k.Half, k.Least, k.Most}; (err == nil) != (want != [4]float64{}) ||
			err == nil && got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	base.Machine.Nodes[1].Latency = 6000
	if _, err := ParseKnob("latency=+-10us,1us..200us", base); err == nil {
		t.Error("a start that differs from node to node is taken")
	}
}

// Settings of quantities of all kinds, as the case has them afterwards.
func TestParseSetting(t *testing.T) {
	for text, holds := range map[string]func(c *Case) bool{ // nil: an error
		"latency=7us":         func(c *Case) bool { return c.Machine.Nodes[1].Latency == 7000 },
		"split:7:3=4":         func(c *Case) bool { return c.Machine.Block(7, 3).Threads == 4 },
		"split:7:3=1":         func(c *Case) bool { return c.Machine.Modules == nil },
		"block:7:3=2":         nil,
		"split:7:3=65536":     func(c *Case) bool { return c.Machine.MostSplit() == sim.MaxSplit },
		"split:7:3=65537":     nil,
		"split:7:3=0":         nil,
		"split:7:3=1.5":       nil,
		"split:7=2":           nil,
		"disable-openmp=Yes":  func(c *Case) bool { return c.NoOpenMP },
		"disable-openmp=0":    func(c *Case) bool { return !c.NoOpenMP },
		"disable-openmp=well": nil,
		"model=thesis":        func(c *Case) bool { return c.Rules[sim.Acquisition] == sim.AcquireTogether },
		"model=none":          nil,
		"split=7:3=4,1us":     func(c *Case) bool { return c.Machine.Block(7, 3).Fork == 1000 },
		"split=7":             nil,
		"algorithm=Bcast=x":   nil,
		"latency=":            nil,
		"latency":             nil,
		"latency=1us,2us":     nil,
		"none=1":              nil,
	} {
		v, err := ParseSetting(text)
		if (err == nil) != (holds != nil) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if holds == nil {
			continue
		}
		c := idealCase(2)
		if v.Apply(c); !holds(c) || c.Machine.Fault != nil {
			t.Errorf("%s has no effect; %v", text, c.Machine.Fault)
		}
	}
}

// An input of another solver has any finite numbers.
func TestParseFreeVariable(t *testing.T) {
	for text, want := range map[string]float64{ // at 0.5; NaN: an error
		"x=-3": -3, "x=discrete(-1,1)": 1, "x=uniform(-2,4)": 1, "x=loguniform(1,100)": 10,
		"x=normal(-1e300,1)": -1e300,
		"x=nan":              math.NaN(), "x=inf": math.NaN(), "x=a": math.NaN(), "x=discrete(1,nan)": math.NaN(),
		"x=uniform(nan,1)": math.NaN(), "x=uniform(0,inf)": math.NaN(), "x=normal(0,1e999)": math.NaN(),
		"x=1+-10%": math.NaN(), "latency=uniform(nan,1us)": math.NaN(), "latency=2us": 2000,
	} {
		v, err := ParseFreeVariable(text)
		if (err != nil) != math.IsNaN(want) {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil {
			continue
		}
		if x, physical := v.At(0.5); math.Abs(x-want) > 1e-9 || !physical {
			t.Errorf("%s: %g, physical %v, want %g", text, x, physical, want)
		}
	}
}

// Messages of a network of 1000 ns and 2 ns per byte; one that took 9000 is far from the line, and does not move it.
func TestFitRobust(t *testing.T) {
	sizes, times := []float64{0, 100, 200, 300, 400, 500, 600}, []float64(nil)
	for _, s := range sizes {
		times = append(times, 1000+2*s)
	}
	times[2] = 9000
	l, outlier, err := FitRobust(sizes, times)
	if err != nil || math.Abs(l.Latency-1000) > 1e-6 || math.Abs(l.PerByte()-2) > 1e-9 {
		t.Errorf("%+v, %v", l, err)
	}
	if !slices.Equal(outlier, []bool{2: true, 6: false}) {
		t.Errorf("far from it: %v", outlier)
	}
	if got := l.Time(50); math.Abs(got-1100) > 1e-6 {
		t.Errorf("50 bytes take %g ns, want 1100", got)
	}
	l, outlier, err = FitRobust([]float64{0, 8, 16}, []float64{5, 5, 5})
	if err != nil || l.Latency != 5 || !math.IsInf(l.Bandwidth, 1) || slices.Contains(outlier, true) {
		t.Errorf("times that do not grow: %+v, %v, %v", l, outlier, err)
	}
	for _, sizes := range [][]float64{{8}, {8, 8}, {8, 9, 10}} {
		if _, err := FitNetwork(sizes, []float64{1, 2}); err == nil {
			t.Errorf("a line through two times of sizes %v", sizes)
		}
	}
	s, m := MedianBySize([]float64{8, 4, 8, 8, 4}, []float64{30, 1, 10, 90, 3})
	if !slices.Equal(s, []float64{4, 8}) || !slices.Equal(m, []float64{2, 30}) {
		t.Errorf("medians %v of sizes %v, want 2 and 30", m, s)
	}
}
