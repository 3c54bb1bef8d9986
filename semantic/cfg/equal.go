package cfg

import (
	"reflect"
	"slices"

	"pview/semantic"
)

// Equal reports whether two files have the same contents. Their names and line numbers do not matter.
func (f *File) Equal(g *File) bool {
	return f.Version == g.Version && f.Description == g.Description && f.CFG4D == g.CFG4D &&
		slices.Equal(f.Other, g.Other) &&
		slices.EqualFunc(f.Windows, g.Windows, (*Window).Equal) &&
		slices.EqualFunc(f.Histograms, g.Histograms, func(a, b *Histogram) bool { return a.equal(b, f, g) })
}

// Equal reports whether two windows show the same and look the same.
func (w *Window) Equal(v *Window) bool {
	return w.Window.Equal(&v.Window) && reflect.DeepEqual(w.View, v.View) && slices.Equal(w.Other, v.Other)
}

// equal compares histograms of two files, whose windows are the same by position.
func (h *Histogram) equal(o *Histogram, f, g *File) bool {
	for _, p := range [][2]*semantic.Window{{h.Control, o.Control}, {h.Data, o.Data}, {h.Third, o.Third}} {
		if f.position(p[0]) != g.position(p[1]) {
			return false
		}
	}
	return h.Histogram.Equal(&o.Histogram) && h.View == o.View && slices.Equal(h.Other, o.Other)
}

// position returns which of the file's windows holds a semantic window; -1 if none does.
func (f *File) position(s *semantic.Window) int {
	return slices.IndexFunc(f.Windows, func(w *Window) bool { return &w.Window == s })
}
