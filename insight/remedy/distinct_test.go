package remedy

import (
	"context"
	"testing"
)

// Of two candidates for one loss, of which the first gains 100, one stands for both. Ranks decide from half of the gain
// on, or from the share that a candidate itself asks for. A vague one leaves its place to any that gains a quarter.
func TestStandsForTheLoss(t *testing.T) {
	one, other := &Entry{Rank: 7}, &Entry{Rank: 2}
	for name, c := range map[string]struct {
		first, second Candidate
		want          int64
	}{
		"specific":         {Candidate{Entry: one}, Candidate{Entry: other, Gain: 50}, 50},
		"too small":        {Candidate{Entry: one}, Candidate{Entry: other, Gain: 49}, 100},
		"less specific":    {Candidate{Entry: other}, Candidate{Entry: one, Gain: 90}, 100},
		"its own share":    {Candidate{Entry: one}, Candidate{Entry: other, Gain: 25, Stands: 0.25}, 25},
		"less than that":   {Candidate{Entry: one}, Candidate{Entry: other, Gain: 24, Stands: 0.25}, 100},
		"vague":            {Candidate{Entry: one, Vague: true}, Candidate{Entry: other, Gain: 25}, 25},
		"vague, but great": {Candidate{Entry: one, Vague: true}, Candidate{Entry: other, Gain: 24}, 100},
	} {
		c.first.Gain = 100
		// Together they gain no more than the first alone.
		list := distinct(context.Background(), []*Candidate{&c.first, &c.second},
			func(x, y *Candidate) int64 { return max(x.Gain, y.Gain) })
		if len(list) != 1 || list[0].Gain != c.want || len(list[0].Same) != 1 {
			t.Errorf("%s: %d groups, %d stands for the first, want %d", name, len(list), list[0].Gain, c.want)
		}
	}
}
