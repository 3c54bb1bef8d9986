package parameter

import (
	"testing"

	"pview/sim"
)

// Texts are written as they are read, in one form; what cannot be leaves the machine as it was.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name, text, want string // want: as it is written; "!": an error
	}{
		{"split", "7:3=4", "7:3=4"},
		{"split", " 7:3 = 4 , 10us ; 7:4=2,0,20us ;", "7:3=4,10 us;7:4=2,0 s,20 us"},
		{"split", "7:3=1", ""}, {"split", "7:3=0", "!"}, {"split", "7:3=65536", "7:3=65536"},
		{"split", "7:3=65537", "!"},
		{"split", "7=4", "!"}, {"split", "0:3=4", "!"}, {"split", "7:0=4", "!"}, {"split", "7:3=4,1us,1us,1us", "!"},
		{"split", "7:3=4,x", "!"}, {"split", "7:3=4,1us,x", "!"}, {"split", "x:3=4", "!"}, {"split", "7:x=4", "!"},
		{"split", "7:3=x", "!"}, {"split", "7:3", "!"}, {"split", "4294967296:3=2", "!"},
		{"split", "7:9223372036854775808=2", "!"}, {"split", "7:3=2,0,1ns", "7:3=2,0 s,1 ns"},
		{"algorithm", "bcast = binomial , Allreduce=direct/1000/ring,", "Bcast=binomial,Allreduce=direct/1000/ring"},
		{"algorithm", "Barrier=dissemination", "Barrier=dissemination"},
		{"algorithm", "none=binomial", "!"}, {"algorithm", "Bcast=ring", "!"}, {"algorithm", "Bcast=direct", ""},
		{"collective-network", "bcast=ring 4", "Bcast=ring 4"},
		{"collective-network", "Bcast=complete; Reduce=torus 2 2", "Bcast=complete Reduce=torus 2 2"},
		{"collective-network", "Bcast=ring 4 map=3/2/1/0 Reduce=ring 4 Bcast=messages", "Reduce=ring 4"},
		{"collective-network", "Bcast=ring 4 map=3/0", "Bcast=ring 4 map=3/0"},
		{"collective-network", "Bcast=ring 4 link-startup=7us", "Bcast=ring 4 link-startup=7 us"},
		{"collective-network", "Barrier=ring 4", "Barrier=ring 4"},
		{"collective-network", "Bcast=ring 4 map=-1", "!"}, {"collective-network", "Bcast=ring 4 map=x", "!"},
		{"collective-network", "Bcast=ring 4 nothing=1", "!"}, {"collective-network", "ring", "!"},
		{"collective-network", "link-startup=7us", "!"}, {"collective-network", "Bcast=none 4", "!"},
		{"collective-network", "Bcast=ring 4 link-startup=x", "!"},
	} {
		p := TextByName(c.name)
		if p == nil {
			t.Fatalf("there is no text %s", c.name)
		}
		m := sim.Ideal(4)
		m.Network = "direct"
		before := p.Get(m)
		err := p.Set(m, c.text)
		want := c.want
		if want == "!" {
			want = before
		}
		if (err == nil) != (c.want != "!") || p.Get(m) != want {
			t.Errorf("%s %q: written %q, want %q; %v", c.name, c.text, p.Get(m), want, err)
		}
		if again := p.Get(m); p.Set(m, again) != nil || p.Get(m) != again {
			t.Errorf("%s: %q is read as %q", c.name, again, p.Get(m))
		}
	}
	if TextByName("none") != nil {
		t.Error("there is a text none")
	}
}

// A setting is a value or a distribution, whose mean is the value that other parts see.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name, text, want string // "!": an error
		value            float64
	}{
		{"latency", "25us", "25 us", 25000}, {"latency", " Normal( 25us , 2us ) ", "normal(25 us, 2 us)", 25000},
		{"latency", "gamma(2, 3us)", "gamma(2, 3 us)", 6000},
		{"latency", "pareto(4us, 1)", "pareto(4 us, 1)", 7},
		{"latency", "normal(0, 2us)", "normal(0 s, 2 us)", 0},
		{"latency", "normal(0.5ns, 2us)", "normal(0.5 ns, 2 us)", 0.5},
		{"latency", "normal(25us)", "!", 0}, {"latency", "normal(25us, 1us, 1us)", "!", 0},
		{"latency", "normal(x, 2us)", "!", 0}, {"latency", "none(1us)", "!", 0},
		{"latency", "normal(25us, 2us", "!", 0},
		{"latency", "uniform(3us, 2us)", "!", 0}, {"nodes", "uniform(2, 3)", "!", 0},
	} {
		p := ByName(c.name)
		s, err := p.ParseSetting(c.text)
		if (err == nil) != (c.want != "!") {
			t.Errorf("%s %q: %v", c.name, c.text, err)
		}
		if err != nil {
			continue
		}
		m := sim.Ideal(2)
		p.Set(m, 7)
		p.Apply(m, s)
		got, uniform := p.Setting(m)
		if got != s || !uniform || p.FormatSetting(got) != c.want {
			t.Errorf("%s %q: %s, everywhere %v, want %s", c.name, c.text, p.FormatSetting(got), uniform, c.want)
		}
		if v, _ := p.Get(m); v != c.value { // the mean of the Pareto distribution is infinite
			t.Errorf("%s %q: the value is %g, want %g", c.name, c.text, v, c.value)
		}
	}
}
