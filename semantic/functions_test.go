package semantic

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

func TestTablesAreComplete(t *testing.T) {
	for _, f := range Families {
		names := map[string]bool{}
		for _, e := range Functions(f) {
			for _, n := range append([]string{e.Name}, e.Aliases...) {
				if key := strings.ToLower(n); names[key] {
					t.Errorf("%s %q stands twice", f, n)
				} else {
					names[key] = true
				}
				if g, ok := Lookup(f, n); !ok || g.Name != e.Name {
					t.Errorf("%s %q is not found", f, n)
				}
			}
			if e.Doc == "" || strings.HasSuffix(e.Doc, ".") || e.Doc[0] == ' ' {
				t.Errorf("%s %q: doc %q", f, e.Name, e.Doc)
			}
			for _, p := range e.Params {
				if p.Name == "" || !p.List && len(p.Default) != 1 {
					t.Errorf("%s %q: parameter %q has default %v", f, e.Name, p.Name, p.Default)
				}
			}
			has := 0
			for _, b := range []bool{e.thread.value != nil, e.cpu != nil, e.fold.all != nil, e.compose != nil,
				e.derive != nil || e.within != nil || e.point != nil, e.bind != nil} {
				has += int(truth(b))
			}
			if has != 1 {
				t.Errorf("%s %q has %d functions", f, e.Name, has)
			}
		}
	}
	if e, ok := Lookup(ComposeFunctions, ""); !ok || e.Name != "As Is" {
		t.Error("no compose function is not As Is")
	}
}

func TestFolds(t *testing.T) {
	for _, c := range []struct {
		name     string
		p        params
		children []float64
		changed  int
		want     float64
	}{
		{"Adding", nil, []float64{1, -2, 5}, 0, 4},
		{"AddingSign", nil, []float64{1, -2}, 0, 0},
		{"AddingSign", nil, []float64{3, -2}, 0, 1},
		{"Average", nil, []float64{3, 0, 0}, 0, 1},
		{"Maximum", nil, []float64{-3, -1}, 0, 0}, // never below 0
		{"Maximum (signed)", nil, []float64{-3, -1}, 0, -1},
		{"Minimum", nil, []float64{0, 3, 5}, 0, 3}, // skips a leading 0
		{"Minimum", nil, []float64{3, 0}, 0, 0},    // a later 0 replaces the minimum
		{"Minimum", nil, []float64{3, 0, 5}, 0, 5}, // and is dropped in turn
		{"Minimum (with 0)", nil, []float64{0, 3, 5}, 0, 0},
		{"Activity", params{{3}}, []float64{3, 3}, 0, 3},
		{"Activity", params{{3}}, []float64{3, 4}, 0, 0},
		{"Activity", params{{4}}, []float64{3, 3}, 0, 0},
		{"In Activity", params{{3, 4}}, []float64{4, 4}, 0, 1},
		{"In Activity", params{{0}}, []float64{0, 0}, 0, 0}, // 0 is no activity
		{"Mode", nil, []float64{2, 1, 1, 2}, 0, 1},          // the first to reach the count
		{"Mode", nil, slices.Repeat([]float64{7, 8, 9, 9}, 20), 0, 9},
		{"Mode", nil, append(many(100), 41), 0, 41},
		{"Thread i", params{{2}}, []float64{5, 6}, 0, 6},
		{"Thread i", params{{3}}, []float64{5, 6}, 0, 0},
		{"Thread i", params{{0}}, []float64{5, 6}, 0, 0},
		{"Add Tasks", params{{0, 2, 9}}, []float64{5, 6, 7}, 0, 12},
		{"Changed value", nil, []float64{5, 6, 7}, 1, 6},
	} {
		e, ok := Lookup(FoldFunctions, c.name)
		if !ok {
			t.Fatalf("no %s", c.name)
		}
		if got := e.fold.all(c.children, c.changed, c.p); got != c.want {
			t.Errorf("%s %v of %v: %v, want %v", c.name, c.p, c.children, got, c.want)
		}
	}
}

// many returns the numbers from 0 to n-1.
func many(n int) (v []float64) {
	for i := range n {
		v = append(v, float64(i))
	}
	return v
}

// Few and many children give the same: those that change together, and a running
// sum for many.
func TestManyChildren(t *testing.T) {
	for _, name := range []string{"Adding", "Average", "AddingSign", "Mode", "Maximum"} {
		for _, n := range []int{1, 3, manyChildren, 100} {
			rows := make([]bursts, n)
			for k := range rows {
				rows[k] = newBursts(1000, float64(k%3), 0)
				for i := int64(1); i < 20; i++ {
					rows[k].add(i*int64(10+k%4), float64((int(i)*7+k)%5-1))
				}
			}
			e, _ := Lookup(FoldFunctions, name)
			got, err := foldRows(t.Context(), rows, 1000, bound{e, nil})
			if err != nil {
				t.Fatal(err)
			}
			for i, begin := range got.begin {
				if i+1 < len(got.begin) && got.begin[i+1] == begin {
					continue
				}
				now := make([]float64, n)
				for k := range rows {
					now[k] = rows[k].value[rows[k].seek(0, begin)]
				}
				if want := e.fold.all(now, 0, nil); math.Abs(got.value[i]-want) > 1e-12 {
					t.Fatalf("%s of %d rows at %d: %v, want %v", name, n, begin, got.value[i], want)
				}
			}
		}
	}
}

// As in Paraver, up to as many records of one time make one burst of a parent as it has children.
func TestRecordsOfOneTime(t *testing.T) {
	row := func(v ...float64) bursts { // all of v but the first at time 10
		b := newBursts(20, v[0], 0)
		for _, x := range v[1:] {
			b.add(10, x)
		}
		return b
	}
	for _, c := range []struct {
		rows []bursts
		want []float64
	}{
		{[]bursts{row(1, 2, 3)}, []float64{1, 2, 3}},
		{[]bursts{row(1, 2, 3), row(0)}, []float64{1, 3}},
		{[]bursts{row(1, 2, 3, 4), row(0)}, []float64{1, 3, 4}},
		{[]bursts{row(1, 2), row(0, 10)}, []float64{1, 12}},
		{[]bursts{row(1, 2, 3), row(0, 10, 20)}, []float64{1, 12, 23}},
	} {
		e, _ := Lookup(FoldFunctions, "Adding")
		got, _ := foldRows(t.Context(), c.rows, 20, bound{e, nil})
		if !slices.Equal(got.value, c.want) {
			t.Errorf("%v: %v, want %v", c.rows, got.value, c.want)
		}
	}
}

func TestComposes(t *testing.T) {
	us := newClock(prv.Nanoseconds, Microseconds)
	for _, c := range []struct {
		name     string
		p        params
		in, want []float64
	}{
		{"Sign (> 0)", nil, []float64{-2, 0, 3}, []float64{0, 0, 1}},
		{"1-Sign (> 0)", nil, []float64{-2, 0, 3}, []float64{1, 1, 0}},
		{"Sign", nil, []float64{-2, 0, 3}, []float64{1, 0, 1}},
		{"Mod", params{{3}}, []float64{7, -7, 2.5}, []float64{1, -1, 2.5}},
		{"Mod", params{{0}}, []float64{7.25}, []float64{0.25}},
		{"Div", params{{0}}, []float64{7.25}, []float64{0.25}},
		{"Inverse Div", params{{6}}, []float64{0, 3}, []float64{0, 2}},
		{"Select Range", params{{3, 9}, {2, 8}}, []float64{1, 2, 3, 5, 9}, []float64{0, 2, 3, 0, 9}},
		{"Select Range [)", params{{3}, {2}}, []float64{2, 3}, []float64{2, 0}},
		{"Is In Range", params{{3}, {2, 8}}, []float64{2, 8}, []float64{1, 0}}, // 2nd lower limit without an upper one
		{"Round", nil, []float64{0.5, 1.5, -0.6}, []float64{0, 2, -1}},
		{"LRU Depth", params{{2}}, []float64{1, 2, 1, 3, 2, 0, 3}, []float64{3, 3, 2, 3, 3, 0, 2}},
		{"LRU Depth", params{{0}}, []float64{1, 1}, []float64{1, 1}},
		{"Nesting level", nil, []float64{0, 5, 5, 0, 0, 0, 1}, []float64{0, 1, 2, 1, 0, 0, 1}},
		{"In Stacked Val", params{{5}}, []float64{5, 6, 0, 0}, []float64{5, 0, 5, 0}},
		{"Enumerate", nil, []float64{0, 5, 0, -1}, []float64{0, 1, 1, 2}},
		{"Accumulate", nil, []float64{1, 2, -4}, []float64{1, 3, -1}},
		{"Delta", nil, []float64{4, 6, 1}, []float64{4, 2, -5}},
		{"Translate", params{{1, 2, 2, 3, 9}}, []float64{1, 2, 9}, []float64{2, 3, 9}},
		{"log N", params{{10}}, []float64{100, 1, 0.5, -3}, []float64{2, 0, 0, 0}},
		{"exp", params{{2}}, []float64{3, 1e9}, []float64{8, 0}},
		{"exp", params{{-8}}, []float64{0.5}, []float64{0}},
		{"Join Bursts", nil, []float64{1, 1, 2, 2, 1}, []float64{1, 2, 1}},
		{"Burst Time", nil, []float64{5, 5}, []float64{1, 1}}, // each lasts 1000 ns
		{"Begin Time", nil, []float64{5, 5}, []float64{0, 1}},
		{"End Time", nil, []float64{5, 5}, []float64{1, 2}},
		{"Divide by Burst Time", nil, []float64{5}, []float64{5}},
	} {
		e, ok := Lookup(ComposeFunctions, c.name)
		if !ok {
			t.Fatalf("no %s", c.name)
		}
		b := bursts{value: slices.Clone(c.in), end: int64(len(c.in)) * 1000}
		for i := range c.in {
			b.begin = append(b.begin, int64(i)*1000)
		}
		e.compose(&b, c.p, us)
		if !slices.EqualFunc(b.value, c.want, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }) {
			t.Errorf("%s %v of %v: %v, want %v", c.name, c.p, c.in, b.value, c.want)
		}
	}
}

// A timer runs on through bursts that are not 0, and restarts after a 0 and in the burst after the one in which it
// ended.
func TestTimer(t *testing.T) {
	b := bursts{begin: []int64{0, 10, 14, 30, 40, 46, 50}, value: []float64{0, 1, 2, 3, 0, 4, 0}, end: 60}
	b.cpu = []int32{0, 1, 2, 3, 4, 5, 6}
	timer(&b, params{{6}}, clock{1, 1})
	want := bursts{
		begin: []int64{0, 10, 14, 16, 30, 36, 40, 46, 50},
		value: []float64{0, 1, 2, 0, 3, 0, 0, 4, 0},
		cpu:   []int32{0, 1, 2, 2, 3, 3, 4, 5, 6},
	}
	if !slices.Equal(b.begin, want.begin) || !slices.Equal(b.value, want.value) || !slices.Equal(b.cpu, want.cpu) {
		t.Errorf("got %v\nwant %v", b, want)
	}
}

// The thesis' functions of CPUs see the threads that are on the CPU.
func TestFunctionsOfCPUs(t *testing.T) {
	tr := read(t, `#Paraver (01/01/03 at 00:00):40:1(2):1:1(2:1)
1:1:1:1:1:0:10:3
1:2:1:1:1:10:30:4
1:1:1:1:2:0:40:5
`)
	for name, want := range map[string]string{
		"Adding":      "0-10:8 10-40:5",
		"Adding Sign": "0-40:1",
		"Average":     "0-10:4 10-40:5",
		"Maximum":     "0-40:5",
		"Minimum":     "0-10:3 10-40:5",
		"Active Thd":  "0-10:5 10-40:0", // value of the last record seen, whose thread has left
	} {
		w := at(prv.LevelCPU, "State As Is")
		w.Functions[prv.LevelCPU].Name = name
		if got := show(t, tr, w, 0); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	w := at(prv.LevelCPU, "State As Is")
	w.Functions[prv.LevelCPU].Name = "Adding"
	if got := show(t, tr, w, 1); got != "0-10:0 10-30:4 30-40:0" {
		t.Errorf("the other CPU: %s", got)
	}
}

// Parents on traces of other units and lengths are converted to the time of the window's trace.
func TestDerivedOverTwoTraces(t *testing.T) {
	a := read(t, "#Paraver (01/01/03 at 00:00):40000_ns:0:1:1(1:0)\n1:0:1:1:1:0:10000:2\n1:0:1:1:1:10000:40000:3\n")
	b := read(t, "#Paraver (01/01/03 at 00:00):30:0:1:1(1:0)\n1:0:1:1:1:0:20:10\n1:0:1:1:1:20:30:20\n")
	states := at(prv.LevelThread, "State As Is")
	w := at(prv.LevelThread, "")
	w.Derived = &Derived{Op: Call{Name: "add"}, A: Parent{Window: &states, Factor: 1},
		B: Parent{Window: &states, Factor: 2, Trace: b}}
	if got, want := show(t, a, w, 0), "0-10000:22 10000-20000:23 20000-40000:43"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	w.Derived.B.Shift = 1
	if got, want := show(t, a, w, 0), "0-10000:42 10000-20000:43 20000-40000:3"; got != want {
		t.Errorf("shifted: got %s, want %s", got, want)
	}
}

func TestDerivedErrors(t *testing.T) {
	tr := read(t, traceA)
	thread, cpu, task := at(prv.LevelThread, "Useful"), at(prv.LevelCPU, "Useful"), at(prv.LevelTask, "Useful")
	for _, c := range []struct {
		a, b  *Window
		op    string
		level prv.Level
		want  string
	}{
		{&thread, &cpu, "add", prv.LevelThread,
			`window "": a window at level thread cannot be derived from "Useful" at level cpu`},
		{&task, &task, "add", prv.LevelThread, `window "": level thread is finer than those of its parents`},
		{&thread, &thread, "plus", prv.LevelThread, `window "": unknown derived operation "plus"`},
	} {
		w := at(c.level, "")
		w.Derived = &Derived{Op: Call{Name: c.op}, A: Parent{Window: c.a, Factor: 1}, B: Parent{Window: c.b, Factor: 1}}
		if _, err := Compile(tr, &w); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

func TestMeaning(t *testing.T) {
	thread, task, cpu := prv.LevelThread, prv.LevelTask, prv.LevelCPU
	states := at(thread, "State As Is")
	calls := at(thread, "Last Evt Val")
	pair := func(op string, a, b *Window) Window {
		w := at(thread, "")
		w.Derived = &Derived{Op: Call{Name: op}, A: Parent{Window: a, Factor: 1}, B: Parent{Window: b, Factor: 1}}
		return w
	}
	for _, c := range []struct {
		w    Window
		want Meaning
	}{
		{states, StateCodes},
		{at(thread, "Useful"), StateCodes},
		{at(thread, "In State"), PlainNumbers},
		{at(task, "State As Is"), PlainNumbers},
		{with(at(task, "State As Is"), folding("Maximum")), StateCodes},
		{with(at(task, "State As Is"), folding("Average")), PlainNumbers},
		{at(cpu, "Last Evt Type"), EventTypes},
		{with(calls, func(w *Window) { w.Compose[thread].Name = "Stacked Val" }), EventValues},
		{with(calls, func(w *Window) { w.Top1.Name = "Burst Time" }), Times},
		{with(calls, func(w *Window) { w.Top2.Name, w.Top1.Name = "Burst Time", "Floor" }), Times},
		{with(calls, func(w *Window) { w.Top2.Name, w.Top1.Name = "Mod", "Floor" }), PlainNumbers},
		{with(calls, func(w *Window) { w.Extra = []Call{{Name: "Sign"}} }), PlainNumbers},
		{at(thread, "Comm Size"), Bytes},
		{at(thread, "Cpu ID"), CPUs},
		{pair("controlled: clear by", &calls, &states), EventValues},
		{pair("maximum", &states, &states), StateCodes},
		{pair("maximum", &states, &calls), StateCodes},
		{pair("product", &calls, &states), EventValues},
		{pair("controlled: average", &calls, &states), PlainNumbers},
	} {
		if got := c.w.Meaning(); got != c.want {
			t.Errorf("%s: %d, want %d", c.w.Describe(), got, c.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	w := at(prv.LevelTask, "In State", []float64{1, 3})
	w.Compose[prv.LevelThread].Name = "Sign"
	w.Top2 = Call{Name: "Prod", Params: [][]float64{{2.5}}}
	w.Filter.Comms.Physical = true
	if got, want := w.Describe(),
		"thread: In State {1, 3}, Sign; task: Adding; then Prod {2.5}. Sees all events; logical and physical "+
			"messages."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d := at(prv.LevelThread, "")
	w.Name = "x"
	d.Derived = &Derived{Op: Call{Name: "divide"}, A: Parent{Window: &w, Factor: 1},
		B: Parent{Window: &w, Factor: 2, Shift: -1}}
	if got, want := d.Describe(), `divide of "x" and "x" times 2 shifted by -1 bursts.`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		t     int64
		trace prv.Unit
		u     Unit
		want  float64
	}{
		{1500, prv.Nanoseconds, Microseconds, 1.5}, {1500, prv.Nanoseconds, Nanoseconds, 1500},
		{3, prv.Milliseconds, Nanoseconds, 3e6},
		{90, prv.Microseconds, Seconds, 9e-5}, {7_200_000, prv.Milliseconds, Hours, 2},
		{86_400_000, prv.Milliseconds, Days, 1},
	} {
		if got := c.u.Time(c.t, c.trace); got != c.want {
			t.Errorf("%d %s in %s: %v, want %v", c.t, c.trace, c.u, got, c.want)
		}
	}
}
