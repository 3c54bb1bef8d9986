package stat

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// nested is a thread that calls 1, which calls 2, which calls 1 again; then it calls 3.
const nested = `#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)
2:1:1:1:1:10:40:1
2:1:1:1:1:20:40:2
2:1:1:1:1:30:40:1
2:1:1:1:1:35:40:0
2:1:1:1:1:60:40:0
2:1:1:1:1:70:40:0
2:1:1:1:1:80:40:3
2:1:1:1:1:90:40:0
`

func TestInclusive(t *testing.T) {
	tr := read(t, nested)
	h := Histogram{Control: compose("Stacked Val", thread("Last Evt Val", 40)), Inclusive: true,
		Columns: Scale{Max: 3, Delta: 1}}
	show := func(table *Table) string {
		var list []string
		for c := range table.Columns {
			v, _ := table.Cell(0, 0, c)
			list = append(list, fmt.Sprintf("%g", v))
		}
		return strings.Join(list, " ")
	}
	for _, c := range []struct {
		statistic string
		inclusive bool
		within    Range
		want      string
	}{
		{"Time", false, Range{}, "30 25 35 10"},
		{"Time", true, Range{}, "30 60 40 10"},
		{"% Time", true, Range{}, "30 60 40 10"},
		{"# Bursts", true, Range{}, "3 5 3 1"},
		{"Average value", true, Range{}, fmt.Sprintf("0 %g %g 3", 95.0/60, 75.0/40)}, // of the top: the data window
		{"Time", true, Range{Begin: 32, End: 65}, "0 33 28 0"},
	} {
		h.Statistic, h.Inclusive, h.Range = c.statistic, c.inclusive, c.within
		if got := show(compute(t, tr, h)); got != c.want {
			t.Errorf("%s, inclusive %t, %v: %s, want %s", c.statistic, c.inclusive, c.within, got, c.want)
		}
	}
	h.Control = thread("Last Evt Val", 40)
	h.Inclusive = true
	if _, err := Compute(context.Background(), tr, h, Options{}); err == nil ||
		!strings.Contains(err.Error(), "no Stacked Val") {
		t.Errorf("without a stack: %v", err)
	}
}
