package stat

import (
	"fmt"
	"slices"

	"pview/semantic"
)

// Inclusive histograms: the control window without its Stacked Val gives what is
// pushed (values) and popped (zeros); the walk keeps the stack itself.

// withoutStack returns a window without its last function, which must be Stacked Val.
func withoutStack(w *semantic.Window) (*semantic.Window, error) {
	v := w.Clone()
	calls := []*semantic.Call{&v.Compose[v.Level], &v.Top2, &v.Top1}
	for i := range v.Extra {
		calls = append(calls, &v.Extra[i])
	}
	for _, c := range slices.Backward(calls) {
		f, ok := semantic.Lookup(semantic.ComposeFunctions, c.Name)
		switch {
		case ok && f.Name == "As Is":
		case ok && f.Name == "Stacked Val":
			*c = semantic.Call{}
			return &v, nil
		default:
			return nil, fmt.Errorf("window %q: the last function is %s; to count inclusively it must be Stacked Val",
				w.Name, c.Name)
		}
	}
	return nil, fmt.Errorf("window %q has no Stacked Val; it cannot be counted inclusively", w.Name)
}

// stack holds the pushed values and the distinct ones among them.
type stack struct{ values, distinct []float64 }

// next takes the value of a burst: 0 pops, any other value is pushed.
func (s *stack) next(v float64) {
	switch {
	case v != 0:
		s.values = append(s.values, v)
	case len(s.values) > 0:
		s.values = s.values[:len(s.values)-1]
	}
}

// all returns the values on the stack, the top first, each once; 0 if it is empty.
func (s *stack) all() []float64 {
	s.distinct = s.distinct[:0]
	for _, v := range slices.Backward(s.values) {
		if !slices.Contains(s.distinct, v) {
			s.distinct = append(s.distinct, v)
		}
	}
	if len(s.distinct) == 0 {
		s.distinct = append(s.distinct, 0)
	}
	return s.distinct
}

// walkInclusive is walk for an inclusive histogram.
func (w *walker) walkInclusive() {
	d, k := w.data.seek(w.begin), 0
	if w.job.third != nil {
		k = w.third.seek(w.begin)
	}
	var s stack
	for i, v := range w.control.value {
		s.next(v)
		begin, end := max(w.control.begin[i], w.begin), min(w.control.until(i), w.end)
		if begin >= end {
			continue
		}
		w.again = false
		nextD, nextK := d, k
		for _, v := range s.all() {
			column := w.scale.column(v)
			if column < 0 {
				w.dropped = w.dropped || v != 0
				continue
			}
			if w.job.third != nil {
				nextD, nextK = w.inPlanes(column, v, begin, end, d, k)
			} else {
				nextD = w.inData(0, column, v, begin, end, d)
			}
			w.again = true
		}
		d, k = nextD, nextK
	}
}
