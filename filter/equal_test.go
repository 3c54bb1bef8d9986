package filter

import (
	"math"
	"slices"
	"testing"

	"pview/prv"
)

// Two filters are equal if all fields are; each of these changes makes them differ.
func TestEqualFilters(t *testing.T) {
	a := Only(40, 90)
	if b := a.Clone(); !a.Equal(&b) {
		t.Error("a clone is another filter")
	}
	for i, change := range []func(f *Filter){
		func(f *Filter) { f.Comms.Logical = !f.Comms.Logical },
		func(f *Filter) { f.Comms.Physical = !f.Comms.Physical },
		func(f *Filter) { f.Comms.Intra = !f.Comms.Intra },
		func(f *Filter) { f.Comms.Inter = !f.Comms.Inter },
		func(f *Filter) { f.Comms.FromToOr = true },
		func(f *Filter) { f.Comms.TagSizeOr = true },
		func(f *Filter) { f.Comms.From.Func = None },
		func(f *Filter) { f.Comms.To.Func = None },
		func(f *Filter) { f.Comms.Partner.Func = None },
		func(f *Filter) { f.Comms.Tag.Func = None },
		func(f *Filter) { f.Comms.Size.Func = None },
		func(f *Filter) { f.Comms.Bandwidth.Func = None },
		func(f *Filter) { f.Events.Or = true },
		func(f *Filter) { f.Events.Type.Values = []float64{40} },
		func(f *Filter) { f.Events.Value.Labels = []string{"a"} },
	} {
		b := a.Clone()
		if change(&b); a.Equal(&b) || b.Equal(&a) {
			t.Errorf("change %d is not seen", i)
		}
	}
}

// An event type is a whole number from 0 to 2^32-1.
func TestTypeOfNumber(t *testing.T) {
	for v, want := range map[float64]uint32{0: 0, 1: 1, 40: 40, math.MaxUint32: math.MaxUint32} {
		if got, ok := typeOf(v); !ok || got != want {
			t.Errorf("%g is type %d, %v", v, got, ok)
		}
	}
	for _, v := range []float64{-1, 0.5, math.MaxUint32 + 1, math.NaN()} {
		if got, ok := typeOf(v); ok || got != 0 {
			t.Errorf("%g is type %d", v, got)
		}
	}
}

// Type 0 as the first event is found like any other, and so is the last of several repeated ones.
func TestPresenceOfTypes(t *testing.T) {
	tr := &prv.Trace{Threads: []prv.Thread{{Events: prv.Events{Type: []uint32{0, 7, 7, 8}}},
		{Events: prv.Events{Type: []uint32{7, 7, 9}}}}}
	f := EventFilter{Type: Criterion{Func: Equal, Values: []float64{0, 7, 9, 10, 0.5}}}
	if some, missing := PresenceOf(tr, &f).Of(&f); !some || !slices.Equal(missing, []uint32{10}) {
		t.Errorf("%v, missing %v", some, missing)
	}
}

// The name of an unknown function says so.
func TestNameOfUnknownFunction(t *testing.T) {
	if got := numFuncs.String(); got != "Func(7)" {
		t.Errorf("%s", got)
	}
	if got := Range.String(); got != "[x,y]" {
		t.Errorf("%s", got)
	}
}
