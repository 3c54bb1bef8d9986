package remedy

import (
	"testing"

	"pview/insight/cause"
)

// A title speaks of all the others only where nearly all of their time is alike: in the demo trace 16 of 31 threads
// have not begun while one reads the input, and 15 wait.
func TestPastime(t *testing.T) {
	for p, want := range map[pastime]string{
		{before: 0.5, after: 0.5}:  "the others wait",
		{busy: 0.1, before: 0.9}:   "the others compute for 10.0 % of that time",
		{before: 0.9}:              "the others have not begun",
		{before: 0.89}:             "the others wait or have not begun",
		{before: 16.0 / 31}:        "the others wait or have not begun",
		{after: 0.9}:               "the others have ended",
		{after: 0.89, busy: 0.09}:  "the others wait or have ended",
		{after: 0.51, before: 0.4}: "the others wait or have ended",
	} {
		if got := p.String(); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// Executions are alike if their instructions differ by 50 and 20 in a million at most, but for one of ten.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		more float64 // instructions of the second of three threads
		off  int     // executions in which it has 1000 more
		want bool
	}{{0, 0, true}, {70, 0, true}, {71, 0, false}, {-70, 0, true}, {-71, 0, false}, {0, 1, true}, {0, 2, false}} {
		k := &cause.Class{Count: 10, Threads: []int32{0, 2, 3}, Of: make([][]*cause.Stretch, 4)}
		for _, th := range k.Threads {
			for n := range k.Count {
				s := &cause.Stretch{Instructions: 1e6}
				if th == 2 {
					if s.Instructions += c.more; n < c.off {
						s.Instructions += 1000
					}
				}
				k.Of[th] = append(k.Of[th], s)
			}
		}
		if got := alike(k); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
