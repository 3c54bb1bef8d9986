package figure

import "pview/prv/quantity"

// Scatter returns the cloud of the points of two columns: modes of a system show as clusters that a mean hides.
func Scatter(x, y Column) *Figure {
	l := Layer{Shape: Points}
	l.grow(len(x.Values))
	for i := range min(len(x.Values), len(y.Values)) {
		if finite(x.Values[i]) && finite(y.Values[i]) {
			l.X, l.Y, l.Refs = append(l.X, x.Values[i]), append(l.Y, y.Values[i]), append(l.Refs, i)
		}
	}
	return &Figure{
		Title:  y.Name + " by " + x.Name,
		Note:   quantity.CountOf(int64(len(l.X)), "point"),
		X:      x.axis(),
		Y:      y.axis(),
		Layers: []Layer{l},
	}
}

// point returns the layer and position of the point for ref; ok is false if there is none.
func (f *Figure) point(ref int) (layer, i int, ok bool) {
	for k := range f.Layers {
		l := &f.Layers[k]
		for j := range l.X {
			if l.Ref(j) == ref {
				return k, j, true
			}
		}
	}
	return 0, 0, false
}

// MarkRef marks the point for ref, if there is one.
func (f *Figure) MarkRef(ref int, m Mark) {
	if k, i, ok := f.point(ref); ok {
		m.X, m.Y = f.Layers[k].X[i], f.Layers[k].Y[i]
		f.Marks = append(f.Marks, m)
	}
}
