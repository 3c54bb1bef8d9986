package diagnose_test

import (
	"context"
	"errors"
	"testing"

	"pview/insight/breakdown"
	"pview/insight/diagnose"
)

// TestClassTable: two threads execute f three times each, between barriers: the first takes 10, the second 20. N = 6, T
// = 90, mean 15. Each thread executes it 3 times (imbalance 1); the mean executions are 10 and 20, of which the mean is
// 15 (20/15). All of the chain of 3 x 20 is f.
func TestClassTable(t *testing.T) {
	r := run(t, read(t, barriers(20)), diagnose.Default)
	list, err := r.Classes(context.Background())
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	c := &list[0]
	if c.Runs != 6 || c.Time != 90 || c.Mean() != 15 || c.Min != 10 || c.Max != 20 || c.Threads != 2 || c.Share != 1 {
		t.Errorf("%+v", c)
	}
	if c.CountImbalance != 1 || c.GrainImbalance != 20./15 {
		t.Errorf("imbalances %f and %f", c.CountImbalance, c.GrainImbalance)
	}
	if c.OnPath != 60 || c.PathShare != 1 || c.Zeroing != 60 || c.Slack != 60 {
		t.Errorf("on the path %d, zeroing %d, slack %d", c.OnPath, c.Zeroing, c.Slack)
	}
	if e := c.Longest; len(e) != 6 || e[0].From != 0 || e[0].To != 20 || e[0].Threads[0] != 1 || e[2].From != 44 ||
		e[5].Cost != 10 {
		t.Errorf("longest %+v", e)
	}
	for v, want := range map[float64]string{4. / 3: "1.33", 0.00531: "0.00531", 1641: "1641"} {
		if got := breakdown.FormatRatio(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Classes(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
