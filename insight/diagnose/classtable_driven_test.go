package diagnose

import (
	"context"
	"testing"
)

// TestClassTableF1 is check 55 as the table has it: without the time of a the path of 30 is 26 long, as is the longest
// chain without a; the 40 in which anybody works are divided.
func TestClassTableF1(t *testing.T) {
	list, err := (&Result{analysis: graphOf(t, 2, f1)}).Classes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	normalised, sum := map[string]float64{}, 0.0
	for i := range list {
		c := &list[i]
		normalised[c.Name] = c.Normalised
		sum += c.Normalised
		if c.Name == "a" && (c.Zeroing != 4 || c.Slack != 4) {
			t.Errorf("a: zeroing %d, slack %d", c.Zeroing, c.Slack)
		}
	}
	if sum != 40 || normalised["I"] != 10 || normalised["a"] != 15 || normalised["c"] != 5.5 {
		t.Errorf("normalised %v, sum %f", normalised, sum)
	}
}
