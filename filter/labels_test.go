package filter

import (
	"slices"
	"testing"

	"pview/prv"
)

// typesOfTest are types 9, 5, 7: two with the label "Calls", which have the value "send" as 3 and 4.
func typesOfTest() *prv.Labels {
	l := &prv.Labels{}
	l.AddType(9, "Calls", prv.ValueLabel{Value: 3, Label: "send"}, prv.ValueLabel{Value: 1, Label: "wait"})
	l.AddType(5, "Counter")
	l.AddType(7, "Calls", prv.ValueLabel{Value: 4, Label: "send"}, prv.ValueLabel{Value: 3, Label: "send"})
	return l
}

// Types listed by = come in their order, those of another function by number; unknown ones leave all.
func TestTypesOfFilter(t *testing.T) {
	labels := typesOfTest()
	for name, c := range map[string]struct {
		c    Criterion
		want []uint32
	}{
		"all":              {Criterion{}, []uint32{5, 7, 9}},
		"listed":           {Criterion{Func: Equal, Values: []float64{9, 4, 5, 0.5}}, []uint32{9, 5}},
		"unknown":          {Criterion{Func: Equal, Values: []float64{4}}, []uint32{5, 7, 9}},
		"by label":         {Criterion{Func: Equal, Values: []float64{1}, Labels: []string{"Calls"}}, []uint32{9, 7}},
		"an unknown label": {Criterion{Func: Equal, Values: []float64{5}, Labels: []string{"None"}}, []uint32{5}},
		"others too": {Criterion{Func: Equal, Values: []float64{1, 5}, Labels: []string{"Calls"}},
			[]uint32{9, 7, 5}},
		"greater": {Criterion{Func: Greater, Values: []float64{5}}, []uint32{7, 9}},
		"not":     {Criterion{Func: NotEqual, Values: []float64{7}}, []uint32{5, 9}},
		"none":    {Criterion{Func: None}, nil},
	} {
		f := EventFilter{Type: c.c}
		var got []uint32
		for _, e := range f.Types(labels) {
			got = append(got, e.Type)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: types %v, want %v", name, got, c.want)
		}
		if f.Types(nil) != nil {
			t.Errorf("%s: types without labels", name)
		}
	}
}

// A label of a value is looked up in the listed types, in all if none are.
func TestValuesByLabel(t *testing.T) {
	labels := typesOfTest()
	value := Criterion{Func: Equal, Values: []float64{8}, Labels: []string{"send"}}
	for name, c := range map[string]struct {
		typ  Criterion
		want []float64
	}{
		"in all":     {Criterion{}, []float64{3, 4}},
		"in 9":       {Criterion{Func: Equal, Values: []float64{9}}, []float64{3}},
		"in 5":       {Criterion{Func: Equal, Values: []float64{5}}, []float64{8}}, // unknown there: the number stays
		"not listed": {Criterion{Func: NotEqual, Values: []float64{9}}, []float64{3, 4}},
	} {
		got := resolveValues(&EventFilter{Type: c.typ, Value: value}, labels)
		if !slices.Equal(got.Values, c.want) || got.Labels != nil {
			t.Errorf("%s: %v, want %v", name, got.Values, c.want)
		}
	}
}

// The description has every part of a filter that is set, and no other.
func TestDescribe(t *testing.T) {
	is := func(f Func, v ...float64) Criterion { return Criterion{Func: f, Values: v} }
	for want, set := range map[string]func(f *Filter){
		"all events; logical messages":                                func(f *Filter) {},
		"all events; no messages":                                     func(f *Filter) { f.Comms.Logical = false },
		"all events; logical messages within nodes":                   func(f *Filter) { f.Comms.Inter = false },
		"all events; logical messages between nodes":                  func(f *Filter) { f.Comms.Intra = false },
		"all events; logical and physical messages":                   func(f *Filter) { f.Comms.Physical = true },
		"events of type = 5 (Counter), 6; logical messages":           func(f *Filter) { typed(f, 5, 6) },
		"events of type none; logical messages":                       func(f *Filter) { f.Events.Type = is(None) },
		"events of value > 2.5; logical messages":                     func(f *Filter) { above(f, 2.5) },
		"events of type != 9 (Calls) and value < 2; logical messages": func(f *Filter) { both(f, false) },
		"events of type != 9 (Calls) or value < 2; logical messages":  func(f *Filter) { both(f, true) },
		"all events; physical messages, from = 1 and to = 2, partner = 3": func(f *Filter) {
			f.Comms = CommFilter{Physical: true, Intra: true, Inter: true, From: is(Equal, 1), To: is(Equal, 2),
				Partner: is(Equal, 3)}
		},
		"all events; logical messages, tag = 1 or size > 2, bandwidth < 3": func(f *Filter) {
			f.Comms.Tag, f.Comms.Size, f.Comms.TagSizeOr = is(Equal, 1), is(Greater, 2), true
			f.Comms.Bandwidth = is(Less, 3)
		},
		"all events; logical messages, to = 2": func(f *Filter) { f.Comms.To, f.Comms.FromToOr = is(Equal, 2), true },
	} {
		f := Default()
		set(&f)
		if got := f.Describe(typesOfTest()); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	f := Default()
	f.Comms.Intra, f.Comms.Inter = false, false
	f.Events.Type = is(Equal, 5)
	if got, want := f.Describe(nil), "events of type = 5; no messages"; got != want {
		t.Errorf("without labels %q, want %q", got, want)
	}
}

func typed(f *Filter, types ...float64) { f.Events.Type = Criterion{Func: Equal, Values: types} }

func above(f *Filter, v float64) { f.Events.Value = Criterion{Func: Greater, Values: []float64{v}} }

func both(f *Filter, or bool) {
	f.Events = EventFilter{Type: Criterion{Func: NotEqual, Values: []float64{9}},
		Value: Criterion{Func: Less, Values: []float64{2}}, Or: or}
}

// A message of 120 bytes is sent at 10 and 20, and arrives at 50 or 70; its bandwidth follows from the times that the
// filter selects. The partner is the object at the other end of a role.
func TestRatesAndPartners(t *testing.T) {
	for _, c := range []struct {
		logical, physical bool
		received, arrived int64
		rate              float64 // at a unit of 10
	}{
		{true, false, 70, 50, 20}, // 120 / 6: from 10 to the later receive
		{true, false, 50, 70, 20}, // the same
		{true, true, 70, 50, 20},
		{true, true, 50, 70, 24},   // 120 / 5: from 20 to 70
		{false, true, 70, 50, 40},  // 120 / 3: from 20 to 50
		{true, false, 50, 50, 30},  // 120 / 4
		{false, false, 70, 50, 30}, // from 10 to 50
	} {
		h := prv.Header{}
		h.AddPtask()
		h.AddTask(2, -1)
		tr := &prv.Trace{Resources: h.Resources, Threads: make([]prv.Thread, 2), Comms: prv.Comms{Send: []int32{0},
			Recv: []int32{1}, Size: []int64{120}, Tag: []int64{1},
			Times: [4][]int64{prv.LogicalSend: {10}, prv.PhysicalSend: {20}, prv.LogicalRecv: {c.received},
				prv.PhysicalRecv: {c.arrived}}}}
		f := Default()
		f.Comms.Logical, f.Comms.Physical = c.logical, c.physical
		f.Comms.Partner = Criterion{Func: Equal, Values: []float64{2}} // of the sender
		p := f.Compile(tr, prv.LevelThread, 10).Comms
		if got := p.rate(0); got != c.rate {
			t.Errorf("logical %v, physical %v, received at %d, arrived at %d: %g, want %g", c.logical, c.physical,
				c.received, c.arrived, got, c.rate)
		}
		if !p.Partner(0, prv.LogicalSend) || !p.Partner(0, prv.PhysicalSend) || p.Partner(0, prv.LogicalRecv) ||
			p.Partner(0, prv.PhysicalRecv) || !p.Has(0) || p.Logical() != c.logical || p.Physical() != c.physical {
			t.Error("the partner of a send is its receiver, and no other")
		}
	}
}
