package figure

// Step is a bar of a waterfall, from one value to another.
type Step struct {
	Name     string
	Text     string // its figures, beside the bar
	From, To float64
	Ink      Ink
}

// Waterfall shows how a whole shrinks step by step: each bar begins where the previous one ends.
func Waterfall(title string, x Axis, steps []Step) *Figure {
	f := &Figure{Title: title, X: x}
	at := map[Ink]int{}
	for row, s := range steps {
		f.Y.Names = append(f.Y.Names, s.Name)
		k, ok := at[s.Ink]
		if !ok {
			k = len(f.Layers)
			at[s.Ink], f.Layers = k, append(f.Layers, Layer{Shape: Bars, Ink: s.Ink})
		}
		l := &f.Layers[k]
		l.X, l.X2, l.Y = append(l.X, s.From), append(l.X2, s.To), append(l.Y, float64(row))
		l.Text, l.Refs = append(l.Text, s.Text), append(l.Refs, row)
	}
	return f
}
