package stat

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/semantic"
)

// written returns a table as text: for each plane a line of columns, and a line for each row and total.
func written(t *testing.T, table *Table) string {
	t.Helper()
	var b strings.Builder
	plane, row := "", ""
	for e := range table.Entries(-1) {
		if e.Plane != plane {
			plane, row = e.Plane, ""
			fmt.Fprintf(&b, "\nplane %s", plane)
		}
		if e.Row != row {
			row = e.Row
			fmt.Fprintf(&b, "\n%s:", row)
		}
		fmt.Fprintf(&b, " %s=%.6g", strings.ReplaceAll(e.Column, " ", "_"), e.Value)
	}
	return b.String() + "\n"
}

// Each statistic of the states of the first example. Thread 1.1.1 is in state 1 for 30 + 40, in 3 for 20; thread 1.2.1
// in 1 for 45 + 20 + 20, in 7 for 5, in 3 for 10. It sends 1000 bytes at 45, received at 50, and gets 3000, sent at 60,
// at 80.
func TestAllStatistics(t *testing.T) {
	tr := read(t, traceA)
	states := semantic.DefaultWindow()
	states.Filter.Comms.Physical = true
	durations := semantic.ThreadWindow("State Record Dur.")
	durations.Unit = semantic.Microseconds
	var b strings.Builder
	for _, s := range Statistics() {
		h := Histogram{Control: &states, Data: &durations, Statistic: s.Name, Columns: Scale{Max: 7, Delta: 1}}
		table := compute(t, tr, h)
		fmt.Fprintf(&b, "%s [%s]", s.Name, table.Unit)
		for row := range table.Rows {
			b.WriteString(" |")
			for c := range table.Columns {
				if v, ok := table.Cell(0, row, c); ok {
					fmt.Fprintf(&b, " %s=%.6g", strings.Fields(table.Columns[c].Label(0))[0], v)
				}
			}
		}
		b.WriteByte('\n')
	}
	if got, want := "\n"+b.String(), `
Time [us] | Idle=10 Running=70 Waiting=20 | Running=85 Waiting=10 Scheduling=5
% Time [%] | Idle=10 Running=70 Waiting=20 | Running=85 Waiting=10 Scheduling=5
% Time Not Zero [%] | Idle=0 Running=77.7778 Waiting=22.2222 | Running=85 Waiting=10 Scheduling=5
% Window Time [%] | Idle=10 Running=70 Waiting=20 | Running=85 Waiting=10 Scheduling=5
# Bursts [] | Idle=1 Running=2 Waiting=1 | Running=3 Waiting=1 Scheduling=1
% # Bursts [%] | Idle=25 Running=50 Waiting=25 | Running=60 Waiting=20 Scheduling=20
Integral [] | Idle=0 Running=2500 Waiting=0 | Running=2825 Waiting=0 Scheduling=0
Average value [] | Idle=0 Running=35.7143 Waiting=0 | Running=33.2353 Waiting=0 Scheduling=0
Maximum [] | Idle=0 Running=40 Waiting=0 | Running=45 Waiting=0 Scheduling=0
Minimum [] | Idle=0 Running=30 Waiting=0 | Running=20 Waiting=0 Scheduling=0
Average Burst Time [us] | Idle=10 Running=35 Waiting=20 | Running=28.3333 Waiting=10 Scheduling=5
Stdev Burst Time [us] | Idle=0 Running=5 Waiting=0 | Running=11.7851 Waiting=0 Scheduling=0
Average per Burst [] | Idle=0 Running=35 Waiting=0 | Running=28.3333 Waiting=0 Scheduling=0
Average value != 0 [] | Idle=0 Running=35.7143 Waiting=0 | Running=33.2353 Waiting=0 Scheduling=0
Average per Burst != 0 [] | Idle=0 Running=35 Waiting=0 | Running=28.3333 Waiting=0 Scheduling=0
# Bursts != 0 [] | Idle=0 Running=2 Waiting=0 | Running=3 Waiting=0 Scheduling=0
Sum bursts [] | Idle=0 Running=70 Waiting=0 | Running=85 Waiting=0 Scheduling=0
#Sends [] | THREAD=2 | THREAD=2
#Receives [] | THREAD=2 | THREAD=2
Bytes sent [bytes] | THREAD=6000 | THREAD=2000
Bytes received [bytes] | THREAD=2000 | THREAD=6000
Average bytes sent [bytes] | THREAD=3000 | THREAD=1000
Average bytes received [bytes] | THREAD=1000 | THREAD=3000
Minimum bytes sent [bytes] | THREAD=3000 | THREAD=1000
Minimum bytes received [bytes] | THREAD=1000 | THREAD=3000
Maximum bytes sent [bytes] | THREAD=3000 | THREAD=1000
Maximum bytes received [bytes] | THREAD=1000 | THREAD=3000
Late sends [us] | THREAD=0 | THREAD=15
Late receives [us] | THREAD=0 | THREAD=2
`; got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

// Each function of the analyzer on the states of the first example from 10 to 85.
func TestAllFunctions(t *testing.T) {
	tr := read(t, traceA)
	w := semantic.DefaultWindow()
	w.Filter.Comms.Physical = true
	a := analyze(t, tr, Query{Window: &w, Range: Range{Begin: 10, End: 85}})
	var b strings.Builder
	for _, f := range Functions() {
		unit := a.UnitOf(&f)
		if f.Additive {
			unit += "+"
		}
		fmt.Fprintf(&b, "%s [%s]: %s\n", f.Name, unit, answer(t, a, f.Name))
	}
	if got, want := "\n"+b.String(), `
Average Semantic Value []: 1.5333333 1.6666667
Average Burst [us]: 20 11.666667
Number of Bursts []: 1 3
Std. Deviation Burst [us]: 0 6.2360956
Time with Semantic Value [us+]: 75 75
Average Message Size [bytes]: 3000 1000
Number of Bytes Sent [bytes+]: 3000 1000
Number of Bytes Received [bytes+]: 1000 3000
Number of Sends [+]: 2 2
Number of Receives [+]: 2 2
Number of Events [+]: 5 1
Maximum Semantic Value []: 3 7
Minimum Semantic Value []: 1 1
`; got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

// Tables as written: with planes, vertical, without empty columns, sorted, of communications, with short names.
func TestWrittenTables(t *testing.T) {
	tr := read(t, traceA)
	states, third := semantic.DefaultWindow(), thread("Last Evt Val", 40, 500)
	time := func(change func(h *Histogram)) Histogram {
		h := Histogram{Control: &states, Statistic: "Time", Columns: Scale{Max: 7, Delta: 1}, HideEmpty: true}
		change(&h)
		return h
	}
	for _, c := range []struct {
		name string
		h    Histogram
		want string
	}{
		{"states", time(func(*Histogram) {}), `
plane -
THREAD 1.1.1: Idle=10 Running=70 Waiting_a_message=20 Scheduling_and_Fork/Join=0
THREAD 1.2.1: Idle=0 Running=85 Waiting_a_message=10 Scheduling_and_Fork/Join=5
Total: Idle=10 Running=155 Waiting_a_message=30 Scheduling_and_Fork/Join=5
Average: Idle=10 Running=77.5 Waiting_a_message=15 Scheduling_and_Fork/Join=5
Maximum: Idle=10 Running=85 Waiting_a_message=20 Scheduling_and_Fork/Join=5
Minimum: Idle=10 Running=70 Waiting_a_message=10 Scheduling_and_Fork/Join=5
StDev: Idle=0 Running=7.5 Waiting_a_message=5 Scheduling_and_Fork/Join=0
Avg/Max: Idle=1 Running=0.911765 Waiting_a_message=0.75 Scheduling_and_Fork/Join=1
`},
		{"upright", time(func(h *Histogram) { h.Vertical = true }), `
plane -
Idle: THREAD_1.1.1=10 THREAD_1.2.1=0
Running: THREAD_1.1.1=70 THREAD_1.2.1=85
Waiting a message: THREAD_1.1.1=20 THREAD_1.2.1=10
Scheduling and Fork/Join: THREAD_1.1.1=0 THREAD_1.2.1=5
Total: THREAD_1.1.1=100 THREAD_1.2.1=100
Average: THREAD_1.1.1=33.3333 THREAD_1.2.1=33.3333
Maximum: THREAD_1.1.1=70 THREAD_1.2.1=85
Minimum: THREAD_1.1.1=10 THREAD_1.2.1=5
StDev: THREAD_1.1.1=26.2467 THREAD_1.2.1=36.5908
Avg/Max: THREAD_1.1.1=0.47619 THREAD_1.2.1=0.392157
`},
		{"sorted", time(func(h *Histogram) { h.Sort = Sort{On: true, By: "Average"} }), `
plane -
THREAD 1.1.1: Running=70 Waiting_a_message=20 Idle=10 Scheduling_and_Fork/Join=0
THREAD 1.2.1: Running=85 Waiting_a_message=10 Idle=0 Scheduling_and_Fork/Join=5
Total: Running=155 Waiting_a_message=30 Idle=10 Scheduling_and_Fork/Join=5
Average: Running=77.5 Waiting_a_message=15 Idle=10 Scheduling_and_Fork/Join=5
Maximum: Running=85 Waiting_a_message=20 Idle=10 Scheduling_and_Fork/Join=5
Minimum: Running=70 Waiting_a_message=10 Idle=10 Scheduling_and_Fork/Join=5
StDev: Running=7.5 Waiting_a_message=5 Idle=0 Scheduling_and_Fork/Join=0
Avg/Max: Running=0.911765 Waiting_a_message=0.75 Idle=1 Scheduling_and_Fork/Join=1
`},
		{"planes", time(func(h *Histogram) { h.Third, h.Planes = third, Scale{Max: 9, Delta: 3} }), `
plane [0..3)
THREAD 1.1.1: Idle=10 Running=50 Waiting_a_message=20
THREAD 1.2.1: Idle=0 Running=5 Waiting_a_message=0
Total: Idle=10 Running=55 Waiting_a_message=20
Average: Idle=10 Running=27.5 Waiting_a_message=20
Maximum: Idle=10 Running=50 Waiting_a_message=20
Minimum: Idle=10 Running=5 Waiting_a_message=20
StDev: Idle=0 Running=22.5 Waiting_a_message=0
Avg/Max: Idle=1 Running=0.55 Waiting_a_message=1
plane [3..6)
THREAD 1.1.1: Running=20
THREAD 1.2.1: Running=0
Total: Running=20
Average: Running=20
Maximum: Running=20
Minimum: Running=20
StDev: Running=0
Avg/Max: Running=1
plane [6..9]
THREAD 1.1.1: Running=0 Waiting_a_message=0 Scheduling_and_Fork/Join=0
THREAD 1.2.1: Running=80 Waiting_a_message=10 Scheduling_and_Fork/Join=5
Total: Running=80 Waiting_a_message=10 Scheduling_and_Fork/Join=5
Average: Running=80 Waiting_a_message=10 Scheduling_and_Fork/Join=5
Maximum: Running=80 Waiting_a_message=10 Scheduling_and_Fork/Join=5
Minimum: Running=80 Waiting_a_message=10 Scheduling_and_Fork/Join=5
StDev: Running=0 Waiting_a_message=0 Scheduling_and_Fork/Join=0
Avg/Max: Running=1 Waiting_a_message=1 Scheduling_and_Fork/Join=1
`},
		{"a third dimension with one plane", time(func(h *Histogram) {
			h.Third, h.Planes = third, Scale{Max: 9, Delta: 10}
		}),
			`
plane -
THREAD 1.1.1: Idle=10 Running=70 Waiting_a_message=20 Scheduling_and_Fork/Join=0
THREAD 1.2.1: Idle=0 Running=85 Waiting_a_message=10 Scheduling_and_Fork/Join=5
Total: Idle=10 Running=155 Waiting_a_message=30 Scheduling_and_Fork/Join=5
Average: Idle=10 Running=77.5 Waiting_a_message=15 Scheduling_and_Fork/Join=5
Maximum: Idle=10 Running=85 Waiting_a_message=20 Scheduling_and_Fork/Join=5
Minimum: Idle=10 Running=70 Waiting_a_message=10 Scheduling_and_Fork/Join=5
StDev: Idle=0 Running=7.5 Waiting_a_message=5 Scheduling_and_Fork/Join=0
Avg/Max: Idle=1 Running=0.911765 Waiting_a_message=0.75 Scheduling_and_Fork/Join=1
`},
		{"shares in planes", time(func(h *Histogram) {
			h.Statistic, h.Third, h.Planes = "% Time", third, Scale{Max: 9, Delta: 3}
		}), `
plane [0..3)
THREAD 1.1.1: Idle=12.5 Running=62.5 Waiting_a_message=25
THREAD 1.2.1: Idle=0 Running=100 Waiting_a_message=0
Total: Idle=12.5 Running=162.5 Waiting_a_message=25
Average: Idle=12.5 Running=81.25 Waiting_a_message=25
Maximum: Idle=12.5 Running=100 Waiting_a_message=25
Minimum: Idle=12.5 Running=62.5 Waiting_a_message=25
StDev: Idle=0 Running=18.75 Waiting_a_message=0
Avg/Max: Idle=1 Running=0.8125 Waiting_a_message=1
plane [3..6)
THREAD 1.1.1: Running=100
THREAD 1.2.1: Running=0
Total: Running=100
Average: Running=100
Maximum: Running=100
Minimum: Running=100
StDev: Running=0
Avg/Max: Running=1
plane [6..9]
THREAD 1.1.1: Running=0 Waiting_a_message=0 Scheduling_and_Fork/Join=0
THREAD 1.2.1: Running=84.2105 Waiting_a_message=10.5263 Scheduling_and_Fork/Join=5.26316
Total: Running=84.2105 Waiting_a_message=10.5263 Scheduling_and_Fork/Join=5.26316
Average: Running=84.2105 Waiting_a_message=10.5263 Scheduling_and_Fork/Join=5.26316
Maximum: Running=84.2105 Waiting_a_message=10.5263 Scheduling_and_Fork/Join=5.26316
Minimum: Running=84.2105 Waiting_a_message=10.5263 Scheduling_and_Fork/Join=5.26316
StDev: Running=0 Waiting_a_message=0 Scheduling_and_Fork/Join=0
Avg/Max: Running=1 Waiting_a_message=1 Scheduling_and_Fork/Join=1
`},
		{"of messages", time(func(h *Histogram) { h.Statistic = "Bytes sent" }), `
plane -
THREAD 1.1.1: THREAD_1.1.1=0 THREAD_1.2.1=3000
THREAD 1.2.1: THREAD_1.1.1=1000 THREAD_1.2.1=0
Total: THREAD_1.1.1=1000 THREAD_1.2.1=3000
Average: THREAD_1.1.1=1000 THREAD_1.2.1=3000
Maximum: THREAD_1.1.1=1000 THREAD_1.2.1=3000
Minimum: THREAD_1.1.1=1000 THREAD_1.2.1=3000
StDev: THREAD_1.1.1=0 THREAD_1.2.1=0
Avg/Max: THREAD_1.1.1=1 THREAD_1.2.1=1
`},
		{"of messages in planes", time(func(h *Histogram) { // with a separate data window, as Paraver requires
			h.Statistic, h.Data, h.Third, h.Planes = "#Receives", inState(1), third, Scale{Max: 9, Delta: 3}
		}), `
plane [0..3)
THREAD 1.1.1: THREAD_1.2.1=1
THREAD 1.2.1: THREAD_1.2.1=0
Total: THREAD_1.2.1=1
Average: THREAD_1.2.1=1
Maximum: THREAD_1.2.1=1
Minimum: THREAD_1.2.1=1
StDev: THREAD_1.2.1=0
Avg/Max: THREAD_1.2.1=1
plane [6..9]
THREAD 1.1.1: THREAD_1.1.1=0
THREAD 1.2.1: THREAD_1.1.1=1
Total: THREAD_1.1.1=1
Average: THREAD_1.1.1=1
Maximum: THREAD_1.1.1=1
Minimum: THREAD_1.1.1=1
StDev: THREAD_1.1.1=0
Avg/Max: THREAD_1.1.1=1
`},
		{"ranges", Histogram{Control: &states, Statistic: "# Bursts", Columns: Scale{Min: 1, Max: 7, Delta: 2.5}}, `
plane -
THREAD 1.1.1: [1..3.5)=3 [3.5..6)=0 [6..7]=0
THREAD 1.2.1: [1..3.5)=4 [3.5..6)=0 [6..7]=1
Total: [1..3.5)=7 [3.5..6)=0 [6..7]=1
Average: [1..3.5)=3.5 [3.5..6)=0 [6..7]=1
Maximum: [1..3.5)=4 [3.5..6)=0 [6..7]=1
Minimum: [1..3.5)=3 [3.5..6)=0 [6..7]=1
StDev: [1..3.5)=0.5 [3.5..6)=0 [6..7]=0
Avg/Max: [1..3.5)=0.875 [3.5..6)=NaN [6..7]=1
`},
	} {
		if got := written(t, compute(t, tr, c.h)); got != c.want {
			t.Errorf("%s: got\n%s\n        want%s", c.name, strings.TrimPrefix(got, "\n"), c.want)
		}
	}
}

// Rows and columns that have a cell in a plane; all others read 0.
func TestUsedCells(t *testing.T) {
	tr := read(t, traceA)
	states, third := semantic.DefaultWindow(), thread("Last Evt Val", 40, 500)
	table := compute(t, tr, Histogram{Control: &states, Statistic: "Time", Columns: Scale{Max: 7, Delta: 1},
		Third: third, Planes: Scale{Max: 9, Delta: 3}})
	for plane := range table.Planes {
		rows, columns := make([]bool, len(table.Rows)), make([]bool, len(table.Columns))
		cells, least, most := 0, math.Inf(1), math.Inf(-1)
		for r := range rows {
			for c := range columns {
				v, ok := table.Cell(plane, r, c)
				if !ok {
					if v != 0 {
						t.Errorf("a cell that does not exist reads %g", v)
					}
					continue
				}
				rows[r], columns[c] = true, true
				cells++
				least, most = min(least, v), max(most, v)
			}
		}
		p := &table.Planes[plane]
		if !slices.Equal(table.UsedRows(plane), rows) || !slices.Equal(table.Used(plane), columns) ||
			p.Cells != cells || cells > 0 && (p.Min != least || p.Max != most) {
			t.Errorf("plane %d: rows %v, columns %v, %d cells from %g to %g", plane, table.UsedRows(plane),
				table.Used(plane), p.Cells, p.Min, p.Max)
		}
	}
}

// Scales of planes end at the greatest value: codes have a plane each.
func TestScaleOfPlanes(t *testing.T) {
	for _, c := range []struct {
		s      Scale
		lo, hi float64
		want   string
	}{
		{Scale{Max: 4, Delta: 2}, 0, 9, "2 of 2 from 0"},
		{Scale{Auto: true, Codes: true}, 1, 13, "13 of 1 from 1"},
		{Scale{Auto: true, Codes: true}, 1, 20000, "20000 of 1 from 1"},
		{Scale{Auto: true}, 5, 5, "1 of 1 from 5"},
		{Scale{Auto: true}, 0, 100, "200 of 0.5 from 0"},
	} {
		d, err := c.s.planes(c.lo, c.hi)
		if got := fmt.Sprintf("%d of %g from %g", d.n, d.delta, d.min); err != nil || got != c.want {
			t.Errorf("%+v of %g to %g: %s, %v, want %s", c.s, c.lo, c.hi, got, err, c.want)
		}
	}
	for _, c := range []struct {
		lo, hi, delta float64
		count         int
		want          string
	}{
		{0, math.Inf(1), 1, 0, "a scale from 0 to +Inf has no limits"},
		{math.NaN(), 1, 1, 0, "a scale from NaN to 1 has no limits"},
		{0, 1, 0, 0, "a scale from 0 to 1 cannot have steps of 0"},
		{0, 1, -1, 0, "a scale from 0 to 1 cannot have steps of -1"},
		{0, 1 << 24, 1, 0, "a scale from 0 to 1.6777216e+07 in steps of 1 has 1.6777217e+07 columns; the limit is " +
			"16777216"},
		{0, 1, 1, 1<<24 + 1, "the limit is 16777216"},
		{0, 1<<24 - 1, 1, 0, ""}, {0, 1, 1, 1 << 24, ""},
	} {
		_, err := divide(c.lo, c.hi, c.delta, c.count)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%g to %g by %g or %d: %v, want %s", c.lo, c.hi, c.delta, c.count, err, c.want)
		}
	}
}

// The extremes of values 0, 5, -2, 7 at 0, 10, 20, 30 of a run of 40. Paraver counts the burst that begins at the end
// of the range or after it, and its maximum starts from 0.
func TestExtremes(t *testing.T) {
	b := &bursts{begin: []int64{0, 10, 20, 30}, value: []float64{0, 5, -2, 7}, end: 40}
	for _, c := range []struct {
		begin, end int64
		s          Scale
		lo, hi     float64
	}{
		{0, 40, Scale{}, -2, 7}, {0, 20, Scale{}, -2, 5}, {0, 20, Scale{Bins: 4}, 5, 5},
		{0, 10, Scale{Zero: true}, 0, 5}, {0, 10, Scale{Bins: 4, Zero: true}, 0, 0},
		{20, 30, Scale{Bins: 4}, -2, -2}, {20, 25, Scale{}, -2, 7},
	} {
		if lo, hi := b.extremes(c.begin, c.end, c.s); lo != c.lo || hi != c.hi {
			t.Errorf("%d to %d, %+v: %g to %g, want %g to %g", c.begin, c.end, c.s, lo, hi, c.lo, c.hi)
		}
	}
}

// Names without the place in the source; times with their unit; ranges that end with their column.
func TestNamesOfColumns(t *testing.T) {
	for name, want := range map[string]string{"main.c:7 [main.c:7, main]": "main.c:7 ", "[x]": "[x]",
		"plain": "plain"} {
		if got := short(name); got != want {
			t.Errorf("%q is %q in short, want %q", name, got, want)
		}
	}
	for _, c := range []struct {
		c         Column
		precision int
		want      string
	}{
		{Column{Low: 1500, Unit: "ns"}, 3, "1,500 ns"}, {Column{Low: 1.5, Unit: "us"}, 2, "1.50 us"},
		{Column{Low: 1, High: 2, Closed: true}, 0, "[1..2]"},
		{Column{Low: 1, High: 2, Closed: true, short: true}, 0, "[1..2)"},
	} {
		if got := c.c.Label(c.precision); got != c.want {
			t.Errorf("%+v: %q, want %q", c.c, got, c.want)
		}
	}
}

// Statistics and functions are found by name and alias, in any case.
func TestLookups(t *testing.T) {
	for name, want := range map[string]string{"% time": "% Time", "LATE SENDER": "Late sends", "Time": "Time"} {
		if s, ok := Lookup(name); !ok || s.Name != want {
			t.Errorf("%s is %v, want %s", name, s, want)
		}
	}
	if _, ok := Lookup("no such statistic"); ok {
		t.Error("a statistic that does not exist is found")
	}
	for _, f := range Functions() {
		for _, n := range append(slices.Clone(f.Aliases), f.Name, strings.ToUpper(f.Name)) {
			if g, ok := LookupFunction(n); !ok || g.Name != f.Name {
				t.Errorf("%s is %v, want %s", n, g, f.Name)
			}
		}
	}
	if _, ok := LookupFunction("no such function"); ok {
		t.Error("a function that does not exist is found")
	}
}
