package remedy

import (
	"context"
	"testing"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv"
)

// Of candidates that gain 100 and less, the second takes away another loss if both gain 0.35 of its gain more. It
// stands for the first from 0.5 of the gain on, from 0.6 if a rule proposes the first, from 0.25 if that is vague, or
// from a share of its own.
func TestDistinct(t *testing.T) {
	rule := &report.Finding{}
	for name, c := range map[string]struct {
		x, y  Candidate
		more  int64 // of both
		first int64 // gain of the first reported one
		n     int
	}{
		"another loss":      {Candidate{Gain: 100}, Candidate{Gain: 40}, 14, 100, 2},
		"the same":          {Candidate{Gain: 100}, Candidate{Gain: 40}, 13, 100, 1},
		"specific":          {Candidate{Gain: 100, Rank: 1}, Candidate{Gain: 50}, 0, 50, 1},
		"too little":        {Candidate{Gain: 100, Rank: 1}, Candidate{Gain: 49}, 0, 100, 1},
		"by both ranks":     {Candidate{Gain: 100, Entry: &Entry{Rank: 7}, Rank: -5}, Candidate{Gain: 90}, 0, 100, 1},
		"not more specific": {Candidate{Gain: 100}, Candidate{Gain: 50}, 0, 100, 1},
		"less specific":     {Candidate{Gain: 100}, Candidate{Gain: 50, Rank: 1}, 0, 100, 1},
		"proposed":          {Candidate{Gain: 100, Rank: 1, Of: rule}, Candidate{Gain: 60}, 0, 60, 1},
		"proposed, less":    {Candidate{Gain: 100, Rank: 1, Of: rule}, Candidate{Gain: 59}, 0, 100, 1},
		"vague":             {Candidate{Gain: 100, Vague: true}, Candidate{Gain: 25, Rank: 9}, 0, 25, 1},
		"vague, too little": {Candidate{Gain: 100, Vague: true}, Candidate{Gain: 24}, 0, 100, 1},
		"both vague":        {Candidate{Gain: 100, Rank: 1}, Candidate{Gain: 90, Vague: true}, 0, 100, 1},
		"its own share":     {Candidate{Gain: 100, Rank: 1}, Candidate{Gain: 30, Stands: 0.3}, 0, 30, 1},
		"less than that":    {Candidate{Gain: 100, Rank: 1}, Candidate{Gain: 29, Stands: 0.3}, 0, 100, 1},
		"above the usual":   {Candidate{Gain: 100, Rank: 1}, Candidate{Gain: 50, Stands: 0.9}, 0, 50, 1},
		"alone":             {Candidate{Gain: 100, Entry: &Entry{Alone: true}}, Candidate{Gain: 90}, 0, 100, 2},
	} {
		for _, x := range []*Candidate{&c.x, &c.y} {
			if x.Entry == nil {
				x.Entry = &Entry{Rank: 3}
			}
		}
		both := func(x, y *Candidate) int64 { return x.Gain + c.more }
		out := distinct(context.Background(), []*Candidate{&c.x, &c.y}, both)
		if len(out) != c.n || out[0].Gain != c.first || len(out[0].Same) != 2-c.n {
			t.Errorf("%s: %d, the first gains %d, and has %d", name, len(out), out[0].Gain, len(out[0].Same))
		}
		cancelled, stop := context.WithCancel(context.Background())
		stop()
		c.x.Same, c.y.Same = nil, nil
		if out := distinct(cancelled, []*Candidate{&c.x, &c.y}, both); len(out) != 2 {
			t.Errorf("%s: cancelled, %d", name, len(out))
		}
	}
}

// In a run of 10,000 a time counts from 50 on. A candidate is covered if it gains less than a tenth of an estimate that
// counts.
func TestCovered(t *testing.T) {
	r := &Run{Run: &cause.Run{Model: &replay.Model{End: 10_000}}}
	for time, want := range map[float64]bool{-100: false, 0: false, 49: false, 50: true} {
		if got := r.significant(time); got != want {
			t.Errorf("%g counts: %v", time, got)
		}
	}
	if (&Run{Run: &cause.Run{Model: &replay.Model{}}}).significant(0) {
		t.Error("nothing counts in an empty run")
	}
	edit := &replay.Edit{}
	for _, c := range []struct {
		x    Candidate
		want bool
	}{
		{Candidate{Edit: edit, Estimate: 50, Gain: 4}, true}, {Candidate{Edit: edit, Estimate: 50, Gain: 5}, false},
		{Candidate{Edit: edit, Estimate: 49, Gain: 4}, false}, {Candidate{Estimate: 50, Gain: 4}, false},
		{Candidate{Edit: edit, Estimate: 50, Gain: -4}, true},
		{Candidate{Edit: edit, Estimate: 50, Gain: 4, Of: &report.Finding{}}, false},
	} {
		if got := c.x.covered(r); got != c.want {
			t.Errorf("%+v: %v", c.x, got)
		}
	}
}

// Four threads on two nodes, and one of another application on a third.
func TestNodeOfThreads(t *testing.T) {
	h := prv.Header{}
	for range 3 {
		h.AddNode(2)
	}
	h.AddPtask()
	h.AddTask(2, 0)
	h.AddTask(2, 1)
	h.AddPtask()
	h.AddTask(1, 2)
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Run: &cause.Run{Model: &replay.Model{Graph: &eventgraph.Graph{T: tr}}}, threads: 5,
		teams: [][]int32{{0, 1, 2, 3}, {4}}}
	for _, c := range []struct {
		threads []int32
		want    int32
	}{{nil, -1}, {[]int32{0}, -1}, {[]int32{0, 1}, 0}, {[]int32{2, 3}, 1}, {[]int32{1, 2}, -1}, {[]int32{4}, 2},
		{[]int32{0, 1, 2, 3}, -1}} {
		if got := r.nodeOf(c.threads); got != c.want {
			t.Errorf("node of %v: %d", c.threads, got)
		}
	}
	r.threads = 2 // all there are
	if got := r.nodeOf([]int32{0, 1}); got != -1 {
		t.Errorf("the only node: %d", got)
	}
	if got := r.othersOf(1); got != "the others of ptask 2" {
		t.Error(got)
	}
	r.teams = r.teams[:1]
	if got := r.othersOf(0); got != "the others" {
		t.Error(got)
	}
}
