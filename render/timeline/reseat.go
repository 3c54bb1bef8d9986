package timeline

import (
	"slices"

	"pview/prv"
)

// Replacing a trace by a revision with other objects: a rank that was one row gets its threads and streams when it is
// read.

// SameObjects reports whether two traces have the same objects.
func SameObjects(a, b *prv.Trace) bool {
	return slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Ptasks, b.Ptasks) && slices.Equal(a.Tasks, b.Tasks)
}

// Reseat keeps a view's objects when its trace is replaced: by their numbers, a thread by its number in its task. It
// drops the values.
func (w *View) Reseat(to *prv.Trace) {
	from := w.Trace.Data
	cursor := -1
	if w.CursorRow < w.Rows(from) {
		cursor = objectIn(to, from, w.Sem.Level, w.Object(w.CursorRow))
	}
	w.Setup.reseat(to, from)
	for _, list := range [][]Moment{w.History.Past, w.History.Future} {
		for i := range list {
			list[i].Setup.reseat(to, from)
		}
	}
	w.CursorRow = max(w.RowOf(to, cursor), w.Top)
	w.Values.Stop()
	w.Values = Values{}
}

// reseat maps the objects of a setup to the new trace, and those that bound its rows.
func (s *Setup) reseat(to, from *prv.Trace) {
	level := s.Sem.Level
	if s.Span > 0 && s.Objects == nil {
		first, last := objectIn(to, from, level, s.Top), objectIn(to, from, level, s.Top+s.Span-1)
		if first >= 0 && last >= first {
			s.Top, s.Span = first, last-first+1
		}
	}
	if s.Objects != nil {
		var objects []int32
		for _, o := range s.Objects {
			if k := objectIn(to, from, level, int(o)); k >= 0 {
				objects = append(objects, int32(k))
			}
		}
		s.Objects = objects
	}
	if b := &s.Drawing.Between; *b != (Pair{}) {
		sender, receiver := objectIn(to, from, level, int(b.From)-1), objectIn(to, from, level, int(b.To)-1)
		*b = Pair{int32(sender + 1), int32(receiver + 1)}
	}
}

// objectIn returns the object of a trace with the same numbers as an object of another trace; -1 if none.
func objectIn(to, from *prv.Trace, l prv.Level, object int) int {
	if object < 0 || object >= from.Count(l) {
		return -1
	}
	if l == prv.LevelThread {
		task := from.ThreadTask[object]
		k := int32(object) - from.Tasks[task].FirstThread
		if int(task) >= len(to.Tasks) || k >= to.Tasks[task].Threads {
			return -1
		}
		return int(to.Tasks[task].FirstThread + k)
	}
	if object >= to.Count(l) {
		return -1
	}
	return object
}
