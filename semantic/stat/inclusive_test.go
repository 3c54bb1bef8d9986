package stat

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/semantic"
)

// nested is a thread that calls 1, in it 2, in that 1 again, and then 3 on its own.
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

// TestOnly: the window of some columns shows their values and nothing else.
func TestOnly(t *testing.T) {
	tr := read(t, traceA)
	for _, c := range []struct {
		scale   Scale
		columns []int
		want    string
	}{
		{Scale{Max: 7, Delta: 1}, []int{3}, "0:0 30:3 50:0 90:0 / 0:0 45:0 50:0 70:3 80:0"},
		{Scale{Max: 7, Delta: 3.5}, []int{1}, "0:0 30:0 50:0 90:0 / 0:0 45:7 50:0 70:0 80:0"},
		{Scale{Max: 7, Delta: 1}, []int{1, 7}, "0:1 30:0 50:1 90:0 / 0:1 45:7 50:1 70:0 80:1"},
	} {
		h := states("Time")
		h.Columns = c.scale
		w, ok := compute(t, tr, h).Only(c.columns...)
		if !ok {
			t.Fatal("no window")
		}
		var rows []string
		for row := range 2 {
			s, err := must(semantic.Compile(tr, &w)).Series(context.Background(), row)
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for i := range s.Len() {
				begin, _, v := s.Burst(i)
				list = append(list, fmt.Sprintf("%d:%g", begin, v))
			}
			rows = append(rows, strings.Join(list, " "))
		}
		if got := strings.Join(rows, " / "); got != c.want {
			t.Errorf("columns %v of %+v: %s, want %s", c.columns, c.scale, got, c.want)
		}
	}
	if _, ok := compute(t, tr, states("#Sends")).Only(0); ok {
		t.Error("a window of partners")
	}
}
