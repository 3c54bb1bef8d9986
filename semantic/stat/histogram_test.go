package stat

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
)

// numbers writes all contents of a table.
func numbers(t *Table) string {
	var b strings.Builder
	for p := range t.Planes {
		for r := range t.Rows {
			for c := range t.Columns {
				v, ok := t.Cell(p, r, c)
				fmt.Fprintf(&b, "%x %t\n", v, ok)
			}
		}
		fmt.Fprintf(&b, "%x %x\n", t.Planes[p].Totals, t.Planes[p].RowTotals)
	}
	return b.String()
}

// TestWorkers: neither the number of workers nor a cache changes a single bit.
func TestWorkers(t *testing.T) {
	for _, c := range oracleCases() {
		if c.traces == "tr07_precision" {
			continue
		}
		tr := openTrace(t, strings.Fields(c.traces)[0])
		one := compute(t, tr, c.h)
		for _, opt := range []Options{{Workers: 1}, {Workers: 7}, {Workers: 3, Cache: series.NewCache(1 << 20)}} {
			many, err := Compute(context.Background(), tr, c.h, opt)
			if err != nil {
				t.Fatal(err)
			}
			if numbers(one) != numbers(many) {
				t.Errorf("%s: other numbers with %d workers, cache %t", c.cfg, opt.Workers, opt.Cache != nil)
			}
		}
	}
}

// TestBursts: a histogram counts the bursts of its cells.
func TestBursts(t *testing.T) {
	tr := openTrace(t, "tr04_hybrid")
	for _, h := range []Histogram{
		states("Time"), counters("Time"),
		vary(counters("Time"), func(h *Histogram) {
			h.Third, h.Planes, h.Range = thread("Last Evt Val", 60000019), Scale{Max: 4, Delta: 1},
				Range{Begin: 5000, End: 20000}
		}),
		vary(counters("#Sends"), func(h *Histogram) {
			h.Third, h.Planes = thread("Last Evt Val", 60000019),
				Scale{Max: 4, Delta: 1}
		}),
		states("#Sends"),
	} {
		table := compute(t, tr, h)
		bursts, _ := table.With("# Bursts")
		seen := 0
		for p := range table.Planes {
			for r := range table.Rows {
				for c := range table.Columns {
					v, ok := table.Cell(p, r, c)
					list, err := Bursts(context.Background(), tr, h, p, table.Rows[r].Object, table.Columns[c].Index,
						Options{})
					if err != nil {
						t.Fatal(err)
					}
					if ok != (len(list) > 0) {
						t.Fatalf("cell %d %d %d exists: %t, with %d bursts", p, r, c, ok, len(list))
					}
					seen += len(list)
					if table.Statistic.Comms {
						continue
					}
					time := int64(0)
					for i, b := range list {
						time += b.End - b.Begin
						if i > 0 && b.Begin < list[i-1].End {
							t.Fatalf("bursts %v and %v overlap", list[i-1], b)
						}
						if low, high := table.Columns[c].Low, table.Columns[c].High; b.Control < low ||
							b.Control >= high && !table.Columns[c].Closed {
							t.Fatalf("a burst of value %g in column [%g,%g)", b.Control, low, high)
						}
					}
					if got := h.Control.Unit.Time(time, tr.Unit); got != v {
						t.Fatalf("cell %d %d %d: %g of time, its bursts %g", p, r, c, v, got)
					}
					if n, _ := bursts.Cell(p, r, c); n != float64(len(list)) {
						t.Fatalf("cell %d %d %d: %g bursts, %d found", p, r, c, n, len(list))
					}
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s: nothing behind any cell", h.Statistic)
		}
	}
}

// TestAgainstWindow: a histogram agrees with what the windows show, computed from
// the series at every unit of time.
func TestAgainstWindow(t *testing.T) {
	tr := read(t, traceA)
	h := Histogram{Control: thread("State As Is"), Data: thread("Last Evt Val"), Third: thread("Last Evt Type"),
		Statistic: "Average value", Columns: Scale{Max: 7, Delta: 2}, Planes: Scale{Max: 500, Delta: 100},
		Range: Range{Begin: 7, End: 93}}
	table := compute(t, tr, h)
	value := func(w *semantic.Window, row int, at int64) float64 {
		s, err := must(semantic.Compile(tr, w)).Series(context.Background(), row)
		if err != nil {
			t.Fatal(err)
		}
		_, _, v := s.Burst(s.At(at))
		return v
	}
	type cell struct{ plane, row, column int }
	sum, time := map[cell]float64{}, map[cell]float64{}
	for row := range 2 {
		for x := int64(7); x < 93; x++ {
			c := cell{min(4, int(value(h.Third, row, x)/100)), row, min(3, int(value(h.Control, row, x)/2))}
			sum[c] += value(h.Data, row, x)
			time[c]++
		}
	}
	if len(table.Planes) != 5 || len(table.Columns) != 4 {
		t.Fatalf("%d planes of %d columns", len(table.Planes), len(table.Columns))
	}
	for p := range table.Planes {
		for r := range table.Rows {
			for c := range table.Columns {
				v, ok := table.Cell(p, r, c)
				k := cell{p, r, c}
				if want := sum[k] / max(1, time[k]); ok != (time[k] > 0) || math.Abs(v-want) > 1e-12 {
					t.Errorf("cell %v: %g %t, want %g %t", k, v, ok, want, time[k] > 0)
				}
			}
		}
	}
}

// TestOwn: a coarser data window is read at the object that contains the row's.
func TestOwn(t *testing.T) {
	tr := openTrace(t, "tr04_hybrid")
	h := states("Average value")
	h.Data, h.Own, h.Columns = at(prv.LevelTask, thread("Useful")), true, Scale{Max: 100, Delta: 1000}
	table := compute(t, tr, h)
	for r := range table.Rows {
		s, err := must(semantic.Compile(tr, h.Data)).Series(context.Background(), int(tr.ThreadTask[r]))
		if err != nil {
			t.Fatal(err)
		}
		g := s.Aggregate(0, tr.Duration)
		if v, _ := table.Cell(0, r, 0); math.Abs(v-g.Integral/float64(g.Time)) > 1e-12 {
			t.Errorf("%s: %g, its task has %g", table.Rows[r].Name, v, g.Integral/float64(g.Time))
		}
	}
}

func TestRefused(t *testing.T) {
	tr := openTrace(t, "tr04_hybrid")
	a, b := thread("State As Is"), thread("Useful")
	derived := semantic.DefaultWindow()
	derived.Derived = &semantic.Derived{Op: semantic.Call{Name: "add"}, A: semantic.Parent{Window: a, Factor: 1},
		B: semantic.Parent{Window: b, Factor: 1}}
	for _, c := range []struct {
		what string
		h    Histogram
		want error
	}{
		{"finer data", Histogram{Control: at(prv.LevelTask, thread("Useful")), Data: a}, errFiner},
		{"finer third", Histogram{Control: at(prv.LevelTask, thread("Useful")), Third: a}, nil},
		{"coarser third", Histogram{Control: a, Third: at(prv.LevelTask, thread("Useful"))}, errCoarser},
		{"workload on the other side", Histogram{Control: at(prv.LevelCPU, thread("Useful")),
			Data: at(prv.LevelWorkload, thread("Useful"))}, errSides},
		{"other side", Histogram{Control: a, Data: at(prv.LevelCPU, thread("Useful"))}, errSides},
		{"a parent", Histogram{Control: &derived, Data: b}, errParent},
		{"derived from the control window", Histogram{Control: a, Data: &derived}, errParent},
		{"planes from the data window's parent", Histogram{Control: thread("Useful"), Data: &derived, Third: a},
			errParent},
		{"a copy of a parent", Histogram{Control: &derived, Data: thread("Useful")}, nil},
		{"coarser", Histogram{Control: a, Data: at(prv.LevelWorkload, thread("Useful"))}, nil},
	} {
		c.h.Statistic, c.h.Columns = "Time", Scale{Max: 16, Delta: 1}
		if err := c.h.Refused(); !errors.Is(err, c.want) {
			t.Errorf("%s: Refused: %v, want %v", c.what, err, c.want)
		}
		_, err := Compute(context.Background(), tr, c.h, Options{})
		if want := c.want; want != errParent && !errors.Is(err, want) || want == errParent && err != nil {
			t.Errorf("%s: Compute: %v, want %v", c.what, err, want)
		}
	}
}

// TestErrors: windows that do not fit give an error, and nothing else happens.
func TestErrors(t *testing.T) {
	tr := openTrace(t, "tr04_hybrid")
	for want, how := range map[string]func(h *Histogram){
		"unknown statistic":     func(h *Histogram) { h.Statistic = "Tmie" },
		"no control window":     func(h *Histogram) { h.Control = nil },
		"unknown thread":        func(h *Histogram) { h.Control.Functions[prv.LevelThread].Name = "Stat" },
		"no row 8":              func(h *Histogram) { h.Rows = []int{0, 7} },
		"have steps of 0":       func(h *Histogram) { h.Columns.Delta = 0 },
		"have steps of NaN":     func(h *Histogram) { h.Columns.Delta = math.NaN() },
		"from 0 to +Inf":        func(h *Histogram) { h.Columns.Max = math.Inf(1) },
		"the limit is 16777216": func(h *Histogram) { h.Columns = Scale{Max: 1e12, Delta: 1} },
		"columns: a scale":      func(h *Histogram) { h.Columns = Scale{Max: 1, Count: 1 << 30} },
		"2000 planes of 10001": func(h *Histogram) {
			h.Columns, h.Third, h.Planes = Scale{Max: 1e4, Delta: 1}, thread("Useful"), Scale{Max: 1, Count: 2000}
		},
		"unknown total \"Sum\" to sort by": func(h *Histogram) { h.Sort = Sort{On: true, By: "Sum"} },
		"level":                            func(h *Histogram) { h.Data = at(prv.LevelTask, thread("Nope")) },
	} {
		_, err := Compute(context.Background(), tr, vary(states("Time"), how), Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compute(ctx, tr, states("Time"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Bursts(context.Background(), tr, states("Time"), 0, 0, 17, Options{}); err == nil {
		t.Error("bursts of a column that is not there")
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		s      Scale
		lo, hi float64
		want   string
	}{
		{Scale{Max: 16, Delta: 1}, 0, 0, "17 of 1 from 0"},
		{Scale{Min: 1, Max: 7, Delta: 1}, 0, 0, "7 of 1 from 1"},
		{Scale{Min: 0.5, Max: 7.25, Delta: 1.5}, 0, 0, "5 of 1.5 from 0.5"},
		{Scale{Min: 0.5, Max: 7.25, Delta: 1}, 0, 0, "7 of 1 from 0.5"},
		{Scale{Max: 5000, Delta: 250}, 0, 0, "20 of 250 from 0"},
		{Scale{Max: 16, Delta: 1, Count: 4}, 0, 0, "4 of 4 from 0"},
		{Scale{Max: 3, Delta: 1}, 0, 0, "4 of 1 from 0"},
		{Scale{Min: 4, Max: 4, Delta: 1}, 0, 0, "1 of 1 from 4"},
		{Scale{Auto: true, Codes: true}, 1, 13, "13 of 1 from 1"},
		{Scale{Auto: true, Codes: true}, 0, 40, "43 of 1 from 0"},
		{Scale{Auto: true, Codes: true}, 0, 1e6, "200 of 5250 from 0"},
		{Scale{Auto: true}, 1014, 8970, "200 of 41.769 from 1014"},
		{Scale{Auto: true}, 5, 5, "1 of 1 from 5"},
		{Scale{Auto: true}, 0, 0, "1 of 1 from 0"},
		{Scale{Min: 5, Max: 0, Delta: 1}, 0, 0, "1 of 1 from 5"}, // and no value falls into it
	} {
		d, err := c.s.columns(c.lo, c.hi)
		if got := fmt.Sprintf("%d of %g from %g", d.n, d.delta, d.min); err != nil || got != c.want {
			t.Errorf("%+v of %g to %g: %s, %v; want %s", c.s, c.lo, c.hi, got, err, c.want)
		}
	}
	d := must(Scale{Min: 1, Max: 5, Delta: 2}.columns(0, 0))
	for v, want := range map[float64]int{0.99: -1, 1: 0, 2.999: 0, 3: 1, 5: 1, 5.001: -1, math.Inf(1): -1} {
		if got := d.column(v); got != want {
			t.Errorf("%g falls into column %d, want %d", v, got, want)
		}
	}
	if d.column(math.NaN()) != -1 {
		t.Error("NaN falls into a column")
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		c         Column
		precision int
		want      string
	}{
		{Column{Low: 0.5, High: 2}, 9, "[0.500000000..2.000000000)"},
		{Column{Low: 0.5, High: 2}, -1, "[0.5..2)"},
		{Column{Low: 1e6, High: 1234567.5, Closed: true}, 2, "[1,000,000.00..1,234,567.50]"},
		{Column{Low: -1234, High: -999}, 0, "[-1,234..-999)"},
		{Column{Low: 999, High: 1000}, 1, "[999.0..1,000.0)"},
		{Column{Name: "Running", Low: 1, High: 2}, 9, "Running"},
	} {
		if got := c.c.Label(c.precision); got != c.want {
			t.Errorf("%+v: %q, want %q", c.c, got, c.want)
		}
	}
}

// TestSorted: orders of columns; hidden ones; a user's own order.
func TestSorted(t *testing.T) {
	tr := openTrace(t, "tr04_hybrid")
	table := compute(t, tr, vary(states("Time"), func(h *Histogram) { h.HideEmpty = true }))
	order := func(s Sort) (list []int) {
		for _, c := range table.Sorted(s).Columns {
			list = append(list, c.Index)
		}
		return list
	}
	for _, c := range []struct {
		s    Sort
		want []int
	}{
		{Sort{}, []int{0, 1, 3, 5, 7, 13}},
		{Sort{On: true}, []int{1, 5, 13, 0, 7, 3}},
		{Sort{On: true, Reverse: true}, []int{3, 7, 0, 13, 5, 1}},
		{Sort{On: true, By: "Stdev"}, []int{5, 1, 7, 3, 13, 0}},
		{Sort{On: true, By: "Custom", Custom: []int{13, 2, 5, 99, -1, 13}}, []int{13, 5, 0, 1, 3, 7}},
	} {
		if got := order(c.s); !slices.Equal(got, c.want) {
			t.Errorf("%+v: columns %v, want %v", c.s, got, c.want)
		}
	}
	sorted := table.Sorted(Sort{On: true})
	if v, _ := sorted.Cell(0, 0, 0); v != 13.7 {
		t.Errorf("the first column shown has %g", v)
	}
	if got := sorted.Planes[0].Totals[Sum][0]; math.Abs(got-111.4) > 1e-12 {
		t.Errorf("the total below it is %g", got)
	}
}

// TestSortedPlanes: in three dimensions empty columns are hidden plane by plane. The states 1, 2 and 3 last 10, 5 and
// 20 ns while the event is 0, and 2 lasts 25 ns while it is 1. Sorted by plane 0 the order is 3, 1, 2. Plane 1 then
// shows as many columns as have a total there, one, but the first one, as Paraver does.
func TestSortedPlanes(t *testing.T) {
	tr := read(t, `#Paraver (01/01/26 at 00:00):60_ns:1(1):1:1(1:1)
2:1:1:1:1:0:40:0
1:1:1:1:1:0:10:1
1:1:1:1:1:10:15:2
1:1:1:1:1:15:35:3
2:1:1:1:1:35:40:1
1:1:1:1:1:35:60:2
`)
	h := Histogram{Control: thread("State As Is"), Statistic: "Time", Columns: Scale{Min: 1, Max: 3, Delta: 1},
		HideEmpty: true, Third: thread("Last Evt Val", 40), Planes: Scale{Max: 1, Delta: 1}}
	for _, c := range []struct {
		sort   Sort
		order  []float64
		hidden [2][]bool
	}{
		{Sort{}, []float64{1, 2, 3}, [2][]bool{{false, false, false}, {true, false, true}}},
		{Sort{On: true, By: "Total"}, []float64{3, 1, 2}, [2][]bool{{false, false, false}, {false, true, true}}},
	} {
		h.Sort = c.sort
		table := compute(t, tr, h)
		var order []float64
		for _, column := range table.Columns {
			order = append(order, column.Low)
		}
		if !slices.Equal(order, c.order) {
			t.Errorf("%+v: columns %v", c.sort, order)
		}
		for p, want := range c.hidden {
			if got := table.Planes[p].Hidden; !slices.Equal(got, want) {
				t.Errorf("%+v: plane %d hides %v", c.sort, p, got)
			}
		}
	}
}

// TestWith: other statistics of a table are those of a table computed for them.
func TestWith(t *testing.T) {
	tr := openTrace(t, "tr05_ring")
	for _, from := range []string{"Time", "#Sends"} {
		table := compute(t, tr, counters(from))
		for i := range statistics {
			name := statistics[i].Name
			other, err := table.With(name)
			if statistics[i].Comms != table.Statistic.Comms {
				if err == nil {
					t.Errorf("%s from %s: no error", name, from)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if numbers(other) != numbers(compute(t, tr, counters(name))) {
				t.Errorf("%s from %s: other numbers", name, from)
			}
		}
	}
}

// TestLimits: size and tag limit the communications that count.
func TestLimits(t *testing.T) {
	tr := read(t, traceA)
	for _, c := range []struct {
		size, tag Limits
		want      float64
	}{
		{Limits{}, Limits{}, 2},
		{Limits{true, 1000, 2999}, Limits{}, 1},
		{Limits{}, Limits{true, 7, 9}, 0},
		{Limits{true, 1000, 3000}, Limits{true, 6, 6}, 1},
	} {
		table := compute(t, tr, vary(states("#Sends"), func(h *Histogram) { h.Size, h.Tag = c.size, c.tag }))
		got := 0.0
		for _, v := range table.Planes[0].Totals[Sum] {
			got += v
		}
		if got != c.want {
			t.Errorf("size %v, tag %v: %g sends, want %g", c.size, c.tag, got, c.want)
		}
	}
}

func TestClone(t *testing.T) {
	h := vary(counters("Time"), func(h *Histogram) {
		h.Third, h.Rows, h.Sort.Custom = h.Control, []int{1, 2}, []int{3}
	})
	g := h.Clone()
	if !h.Equal(&g) || g.Third != g.Control || g.Control == h.Control {
		t.Errorf("clone %+v of %+v", g, h)
	}
	g.Rows[0], g.Control.Name = 5, "x"
	if h.Rows[0] != 1 || h.Control.Name == "x" || h.Equal(&g) {
		t.Error("the clone shares memory with its origin")
	}
	// Equal looks at every field.
	v := reflect.ValueOf(&g).Elem()
	for i := range v.NumField() {
		g = h.Clone()
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("other")
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.Float64:
			f.SetFloat(77)
		default:
			f.SetZero()
			if f.Kind() == reflect.Struct && f.NumField() > 0 && f.Field(0).Kind() == reflect.Bool {
				f.Field(0).SetBool(!reflect.ValueOf(h).Field(i).Field(0).Bool())
			}
		}
		if h.Equal(&g) {
			t.Errorf("Equal does not look at %s", v.Type().Field(i).Name)
		}
	}
}
