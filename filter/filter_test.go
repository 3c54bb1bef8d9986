package filter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pview/prv"
)

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		f    Func
		list []float64
		pass []float64 // of 0..6
	}{
		{All, nil, []float64{0, 1, 2, 3, 4, 5, 6}},
		{All, []float64{3}, []float64{0, 1, 2, 3, 4, 5, 6}},
		{None, nil, nil},
		{None, []float64{3}, nil},
		{Equal, []float64{3, 5}, []float64{3, 5}},
		{Equal, nil, nil},
		{NotEqual, []float64{3, 5}, []float64{0, 1, 2, 4, 6}},
		{NotEqual, nil, nil}, // an empty list rejects
		{Greater, []float64{1, 3}, []float64{4, 5, 6}},
		{Greater, nil, nil},
		{Less, []float64{5, 3}, []float64{0, 1, 2}},
		{Less, nil, nil},
		{Range, []float64{2, 4}, []float64{2, 3, 4}},
		{Range, []float64{4, 2}, nil},
		{Range, []float64{2}, nil},
	} {
		cr := Criterion{Func: c.f, Values: c.list}
		set := newTypeSet(&cr)
		var pass, types []float64
		for v := range 7 {
			if cr.Test(float64(v)) {
				pass = append(pass, float64(v))
			}
			if set.has(uint32(v)) {
				types = append(types, float64(v))
			}
		}
		if !slices.Equal(pass, c.pass) || !slices.Equal(types, c.pass) {
			t.Errorf("%s %v: passes %v as a value, %v as a type; want %v", c.f, c.list, pass, types, c.pass)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, e := range Functions {
		if f, ok := Lookup(e.Name); !ok || f != e.Func || f.String() != e.Name || f.Entry().Name != e.Name {
			t.Errorf("%q is not found as itself", e.Name)
		}
	}
	if _, ok := Lookup("=="); ok {
		t.Error(`there is no "=="`)
	}
}

// A set of types answers like its criterion, in whichever form.
func TestTypeSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, list := range [][]float64{
		{7}, {0}, {1<<32 - 1}, {5, 5}, {60000019, 60000119}, {1, 1 << 31}, {0, 1<<32 - 1}, {0, 1, 2, 1<<32 - 1},
		{-1, 3.5}, {-1, 3}, {1e30, 9}, nil,
	} {
		for range 200 { // long lists over all types
			if len(list) < 100 && r.IntN(3) == 0 && len(list) > 4 {
				list = append(list, float64(r.Uint32()))
			}
		}
		for _, f := range []Func{Equal, NotEqual, Greater, Less, Range, All, None} {
			c := Criterion{Func: f, Values: list}
			s := newTypeSet(&c)
			probe := []uint32{0, 1, 2, 3, 4, 1 << 31, 1<<32 - 1, 1<<32 - 2, r.Uint32()}
			for _, v := range list {
				if v >= 0 && v < 1<<32 {
					probe = append(probe, uint32(v), uint32(v)+1, uint32(v)-1)
				}
			}
			for _, typ := range probe {
				if got, want := s.has(typ), c.Test(float64(typ)); got != want {
					t.Errorf("type %d, %s %v: %v, want %v", typ, f, list, got, want)
				}
			}
		}
	}
}

func TestTypeSetOfManyFarApart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := Criterion{Func: Equal}
	for range 1000 {
		c.Values = append(c.Values, float64(r.Uint32()))
	}
	s := newTypeSet(&c)
	for _, v := range c.Values {
		if !s.has(uint32(v)) {
			t.Fatalf("%v is not in the set", v)
		}
	}
	for range 1000 {
		if typ := r.Uint32(); s.has(typ) && !slices.Contains(c.Values, float64(typ)) {
			t.Fatalf("%d is in the set", typ)
		}
	}
}

var someEvents = prv.Events{
	Time:  []int64{1, 2, 3, 4, 5, 6},
	Type:  []uint32{40, 40, 40, 500, 500, 90},
	Value: prv.ValuesOf(0, 1, 2, 0, 1500, 7),
}

var someLabels = &prv.Labels{Types: []prv.EventType{
	{Type: 40, Label: "Block", Values: []prv.ValueLabel{{Value: 1, Label: "main"}, {Value: 2, Label: "solve"}}},
	{Type: 500, Label: "Watt", Precision: 3},
	{Type: 90, Label: "Block", Values: []prv.ValueLabel{{Value: 7, Label: "solve"}}},
}}

func TestEventFilter(t *testing.T) {
	is := func(f Func, v ...float64) Criterion { return Criterion{Func: f, Values: v} }
	called := func(f Func, v float64, label string) Criterion { return Criterion{f, []float64{v}, []string{label}} }
	for _, c := range []struct {
		name string
		f    EventFilter
		rows []int32
	}{
		{"all", EventFilter{}, []int32{0, 1, 2, 3, 4, 5}},
		{"type", EventFilter{Type: is(Equal, 40)}, []int32{0, 1, 2}},
		{"type and value", EventFilter{Type: is(Equal, 40), Value: is(Greater, 0)}, []int32{1, 2}},
		{"type or value", EventFilter{Type: is(Equal, 90), Value: is(Greater, 1), Or: true}, []int32{2, 4, 5}},
		{"no type", EventFilter{Type: is(None)}, nil},
		{"no type or a value", EventFilter{Type: is(None), Value: is(Equal, 0), Or: true}, []int32{0, 3}},
		{"an empty list of values is no criterion", EventFilter{Type: is(Equal, 40), Value: is(NotEqual)},
			[]int32{0, 1, 2}},
		{"nor is it with or", EventFilter{Type: is(Equal, 40), Value: is(All), Or: true}, []int32{0, 1, 2}},
		{"values have their precision", EventFilter{Type: is(Equal, 500), Value: is(Range, 1, 2)}, []int32{4}},
		{"a label wins over the number", EventFilter{Type: called(Equal, 500, "Block")}, []int32{0, 1, 2, 5}},
		{"unless the trace does not know it", EventFilter{Type: called(Equal, 500, "Unknown")}, []int32{3, 4}},
		{"a value's label, in the types listed", EventFilter{Type: is(Equal, 40), Value: called(Equal, 99, "solve")},
			[]int32{2}},
		{"a value's label, in all types", EventFilter{Value: called(Equal, 99, "solve")}, []int32{2, 5}},
		{"no value", EventFilter{Value: is(None, 1)}, nil},
		{"a type or any value", EventFilter{Type: is(None), Value: is(All, 1), Or: true}, []int32{0, 1, 2, 3, 4, 5}},
	} {
		p := compileEvents(&c.f, someLabels)
		if got := p.Select(nil, &someEvents); !slices.Equal(got, c.rows) {
			t.Errorf("%s: rows %v, want %v", c.name, got, c.rows)
		}
		for i := range someEvents.Time {
			if p.Has(someEvents.Type[i], someEvents.Value.At(i)) != slices.Contains(c.rows, int32(i)) {
				t.Errorf("%s: row %d alone is answered otherwise", c.name, i)
			}
		}
		if p.All() != (len(c.rows) == someEvents.Len()) {
			t.Errorf("%s: All is %v", c.name, p.All())
		}
	}
}

func TestValues(t *testing.T) {
	rows := []int32{2, 4}
	for _, c := range []struct {
		labels *prv.Labels
		want   []float64
	}{{someLabels, []float64{2, 1.5}}, {nil, []float64{2, 1500}}} {
		p := compileEvents(&EventFilter{}, c.labels)
		got := make([]float64, 2)
		p.Values(got, &someEvents, rows)
		if !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}

// commTrace is four tasks on two nodes of two CPUs, with communications given as
// sender, receiver, size, tag; each takes 100 from the logical send to the
// physical receive.
func commTrace(comms ...[4]int64) *prv.Trace {
	t := &prv.Trace{Labels: &prv.Labels{}}
	t.AddNode(2)
	t.AddNode(2)
	t.AddPtask()
	for i := range 4 {
		t.AddTask(1, i/2)
		t.Threads = append(t.Threads, prv.Thread{CPU: int32(i + 1)})
	}
	for i, c := range comms {
		at := int64(i) * 1000
		t.Comms.Send = append(t.Comms.Send, int32(c[0]-1))
		t.Comms.Recv = append(t.Comms.Recv, int32(c[1]-1))
		t.Comms.Size = append(t.Comms.Size, c[2])
		t.Comms.Tag = append(t.Comms.Tag, c[3])
		for r, d := range []int64{0, 50, 40, 100} {
			t.Comms.Times[r] = append(t.Comms.Times[r], at+d)
		}
	}
	return t
}

func TestCommFilter(t *testing.T) {
	tr := commTrace([4]int64{1, 2, 100, 7}, [4]int64{1, 3, 2000, 8}, [4]int64{2, 4, 500, 7}, [4]int64{4, 3, 64, 9})
	is := func(f Func, v ...float64) Criterion { return Criterion{Func: f, Values: v} }
	for _, c := range []struct {
		name  string
		level prv.Level
		set   func(f *CommFilter)
		pass  []int
	}{
		{"all", prv.LevelThread, func(f *CommFilter) {}, []int{0, 1, 2, 3}},
		{"from", prv.LevelThread, func(f *CommFilter) { f.From = is(Equal, 1) }, []int{0, 1}},
		{"from and to", prv.LevelThread, func(f *CommFilter) { f.From, f.To = is(Equal, 1), is(Equal, 2) }, []int{0}},
		{"from or to", prv.LevelThread, func(f *CommFilter) {
			f.From, f.To, f.FromToOr = is(Equal, 1), is(Equal, 4),
				true
		}, []int{0, 1, 2}},
		{"from or to; by from nothing more is asked", prv.LevelThread, func(f *CommFilter) {
			f.From, f.To, f.FromToOr, f.Size = is(Equal, 1), is(Equal, 4), true, is(Greater, 1000)
		}, []int{0, 1}},
		{"tag and size", prv.LevelThread, func(f *CommFilter) { f.Tag, f.Size = is(Equal, 7), is(Less, 200) },
			[]int{0}},
		{"tag or size", prv.LevelThread, func(f *CommFilter) {
			f.Tag, f.Size, f.TagSizeOr = is(Equal, 7),
				is(Greater, 1000), true
		}, []int{0, 1, 2}},
		{"tag or size; by tag bandwidth is not asked", prv.LevelThread, func(f *CommFilter) {
			f.Tag, f.Size, f.TagSizeOr, f.Bandwidth = is(Equal, 7), is(Greater, 1), true, is(Greater, 10)
		}, []int{0, 1, 2}},
		{"bandwidth", prv.LevelThread, func(f *CommFilter) { f.Bandwidth = is(Greater, 4.9) }, []int{1, 2}},
		{"within a node", prv.LevelThread, func(f *CommFilter) { f.Inter = false }, []int{0, 3}},
		{"between nodes", prv.LevelThread, func(f *CommFilter) { f.Intra = false }, []int{1, 2}},
		{"from a node", prv.LevelNode, func(f *CommFilter) { f.From = is(Equal, 2) }, []int{3}},
		{"to a cpu", prv.LevelCPU, func(f *CommFilter) { f.To = is(Equal, 3) }, []int{1, 3}},
		{"from the ptask", prv.LevelPtask, func(f *CommFilter) { f.From = is(NotEqual, 1) }, nil},
	} {
		f := Default()
		c.set(&f.Comms)
		p := f.Compile(tr, c.level, 1)
		var pass []int
		for i := range tr.Comms.Len() {
			if p.Comms.Has(i) {
				pass = append(pass, i)
			}
		}
		if !slices.Equal(pass, c.pass) {
			t.Errorf("%s: passes %v, want %v", c.name, pass, c.pass)
		}
	}
}

// With logical times only, a physical receive passes if it is the later one.
func TestLogicalAndPhysical(t *testing.T) {
	tr := commTrace([4]int64{1, 2, 100, 7}, [4]int64{1, 2, 100, 7})
	tr.Comms.Times[prv.LogicalRecv][1] = 5000 // later than the physical one
	for _, c := range []struct {
		logical, physical bool
		want              string
	}{
		{true, false, "[true false true true] [true false true false]"},
		{false, true, "[false true false true] [false true false true]"},
		{true, true, "[true true true true] [true true true true]"},
		{false, false, "[false false false false] [false false false false]"},
	} {
		f := Default()
		f.Comms.Logical, f.Comms.Physical = c.logical, c.physical
		p := f.Compile(tr, prv.LevelThread, 1)
		var got [2][4]bool
		for i := range got {
			for r := range prv.Role(4) {
				got[i][r] = p.Comms.Role(i, r)
			}
		}
		if s := fmt.Sprint(got[0], got[1]); s != c.want {
			t.Errorf("logical %v, physical %v: %s, want %s", c.logical, c.physical, s, c.want)
		}
	}
}

// TestPresence: each type counts by itself, whatever the function; the types of a range count together.
func TestPresence(t *testing.T) {
	tr := &prv.Trace{Threads: []prv.Thread{{Events: someEvents}}, Labels: someLabels}
	for _, c := range []struct {
		f       Func
		values  []float64
		some    bool
		missing []uint32
	}{
		{Equal, []float64{40, 41, 90, 42}, true, []uint32{41, 42}},
		{NotEqual, []float64{41, 90}, true, []uint32{41}},
		{NotEqual, []float64{41}, false, []uint32{41}},
		{Greater, []float64{1}, false, []uint32{1}},
		{Range, []float64{41, 95}, true, nil}, // 90 lies within
		{Range, []float64{91, 95}, false, []uint32{91, 95}},
		{Equal, nil, false, nil},
		{All, nil, true, nil},
		{None, nil, true, nil},
	} {
		f := EventFilter{Type: Criterion{Func: c.f, Values: c.values}}
		if some, missing := PresenceOf(tr, &f).Of(&f); some != c.some || !slices.Equal(missing, c.missing) {
			t.Errorf("%s %v: %v, missing %v", c.f, c.values, some, missing)
		}
	}
}

func BenchmarkSelect(b *testing.B) {
	var e prv.Events
	r := rand.New(rand.NewPCG(1, 2))
	types := []uint32{50000001, 50000002, 50000003, 42000050, 42000059, 60000019, 60000119, 50100001}
	for i := range 1_000_000 {
		e.Time = append(e.Time, int64(i))
		e.Type = append(e.Type, types[r.IntN(len(types))])
		e.Value.Append(r.Int64N(100))
	}
	for name, f := range map[string]EventFilter{
		"one type":    {Type: Criterion{Func: Equal, Values: []float64{42000050}}},
		"three types": {Type: Criterion{Func: Equal, Values: []float64{50000001, 50000002, 50000003}}},
		"far apart":   {Type: Criterion{Func: Equal, Values: []float64{42000050, 60000019}}},
		"type, values": {Type: Criterion{Func: Equal, Values: []float64{42000050}},
			Value: Criterion{Func: Greater, Values: []float64{50}}},
		"everything": {},
	} {
		b.Run(name, func(b *testing.B) {
			p := compileEvents(&f, nil)
			rows := make([]int32, 0, e.Len())
			for b.Loop() {
				rows = p.Select(rows[:0], &e)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(e.Len()), "ns/event")
		})
	}
}

// Select, over more than a chunk of rows, agrees with Has row by row: for one type, an interval, and types that are
// close together, far apart, or far apart and too many for one probe.
func TestSelectManyRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var many []float64
	for range 3000 {
		many = append(many, float64(r.Uint32()))
	}
	var e prv.Events
	for i := range 2500 {
		typ := uint32(many[r.IntN(len(many))])
		switch i % 5 {
		case 0:
			typ = uint32(i % 10)
		case 1:
			typ = 70000 + uint32(i%3)
		case 2:
			typ = r.Uint32()
		}
		e.Type = append(e.Type, typ)
		e.Value.Append(int64(i))
	}
	for _, list := range [][]float64{{0}, {5}, {0, 5}, {1, 5, 3}, {0, 70000}, {1, 2, 70000, 70001, 70002}, many,
		{1, 5, 1 << 31}} {
		for _, f := range []Func{Equal, NotEqual, Greater, Less, Range} {
			p := compileEvents(&EventFilter{Type: Criterion{Func: f, Values: list}}, nil)
			var want []int32
			for i, typ := range e.Type {
				if p.Has(typ, 0) {
					want = append(want, int32(i))
				}
			}
			if got := p.Select([]int32{-7}, &e); !slices.Equal(got, append([]int32{-7}, want...)) {
				t.Errorf("%s of %d types: %d rows, want %d", f, len(list), len(got)-1, len(want))
			}
		}
	}
}

// None and All recognise filters that pass nothing and everything.
func TestAllAndNone(t *testing.T) {
	any := Criterion{}
	is := func(f Func, v ...float64) Criterion { return Criterion{Func: f, Values: v} }
	for _, c := range []struct {
		typ, value Criterion
		or         bool
		all, none  bool
	}{
		{any, any, false, true, false},
		{is(None), any, false, false, true},
		{any, is(None, 1), false, false, true},
		{any, is(None, 1), true, true, false},
		{is(None), is(None, 1), true, false, true},
		{is(None), any, true, false, true},
		{is(None), is(All, 1), true, true, false},
		{is(Equal, 4), is(All, 1), false, false, false},
		{is(Equal, 4), is(All, 1), true, true, false},
		{any, is(All, 1), false, true, false},
		{is(Equal), any, false, false, true}, // no type at all
		{is(Greater, 1<<32), any, false, false, true},
		{is(NotEqual, -1), any, false, true, false},
	} {
		p := compileEvents(&EventFilter{Type: c.typ, Value: c.value, Or: c.or}, nil)
		if p.All() != c.all || p.None() != c.none {
			t.Errorf("%v %v or %v: all %v, none %v", c.typ, c.value, c.or, p.All(), p.None())
		}
	}
	f := Default()
	if p := f.Compile(commTrace(), prv.LevelThread, 1); !p.Comms.All() || !p.Comms.Logical() || p.Comms.Physical() {
		t.Error("the default is not all messages, by logical times")
	}
	f.Comms.Inter = false
	if p := f.Compile(commTrace(), prv.LevelThread, 1); p.Comms.All() {
		t.Error("messages within nodes are all")
	}
}

// The ends of messages at each level: 1 is in thread 2 on CPU 2 of node 1, 3 in thread 4 on CPU 4 of node 2; without
// information on CPUs the whole machine is one node.
func TestEndsOfMessages(t *testing.T) {
	tr := commTrace([4]int64{2, 4, 100, 7})
	for level, want := range map[prv.Level]string{prv.LevelThread: "2 4", prv.LevelTask: "2 4", prv.LevelPtask: "1 1",
		prv.LevelWorkload: "1 1", prv.LevelCPU: "2 4", prv.LevelNode: "1 2", prv.LevelSystem: "1 1"} {
		f := Default()
		p := f.Compile(tr, level, 1)
		if got := fmt.Sprint(p.Comms.end(0, prv.LogicalSend), " ", p.Comms.end(0, prv.PhysicalRecv)); got != want {
			t.Errorf("ends at the level %s: %s, want %s", level, got, want)
		}
	}
}

// Different filters have different keys, even if only the place of a label or a value differs.
func TestKeys(t *testing.T) {
	keys := map[string]int{}
	a, labelled := Only(40, 90), Only(40)
	labelled.Events.Type.Labels = []string{"a b"}
	two := Only(40)
	two.Events.Type.Labels = []string{"a", "b"}
	value := Default()
	value.Events.Value = Criterion{Equal, []float64{40, 90}, nil}
	physical, or := Only(40, 90), Only(40, 90)
	physical.Comms.Logical, physical.Comms.Physical = false, true
	or.Events.Or = true
	for i, f := range []Filter{Default(), a, Only(4090), Only(90, 40), labelled, two, value, physical, or} {
		if j, taken := keys[f.Key()]; taken {
			t.Errorf("filters %d and %d have the key %s", j, i, f.Key())
		}
		keys[f.Key()] = i
	}
	if b := a.Clone(); a.Key() != b.Key() {
		t.Error("a clone has another key")
	}
}
