package criticalpath

// The path as events of a trace, for windows and filters.

import (
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// EventType is the type of the events that mark the path: value 1 where it enters a thread, 0 where it leaves (thesis,
// table 7).
const EventType = extrae.CriticalPath

// mark is an event of the path.
type mark struct {
	time, value int64
}

// Mark returns the trace with the path's events; everything else is shared with the given trace. Existing events of
// type 90 are removed.
func (p *Path) Mark(t *prv.Trace) *prv.Trace {
	marks := make([][]mark, len(t.Threads))
	for i := 0; i < len(p.Segments); {
		g := p.Segments[i]
		k := i + 1
		for k < len(p.Segments) && p.Segments[k].Thread == g.Thread &&
			p.Segments[k].Kind.OnNetwork() == g.Kind.OnNetwork() {
			k++
		}
		if !g.Kind.OnNetwork() {
			m := &marks[g.Thread]
			// Left and re-entered at the same instant: no event.
			if n := len(*m); n > 0 && (*m)[n-1].time == g.Begin {
				*m = (*m)[:n-1]
			} else {
				*m = append(*m, mark{g.Begin, 1})
			}
			*m = append(*m, mark{p.Segments[k-1].End, 0})
		}
		i = k
	}
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for i := range out.Threads {
		out.Threads[i].Events = withMarks(&t.Threads[i].Events, marks[i])
	}
	out.Labels = t.Labels.Clone()
	out.Labels.AddType(EventType, "Critical path", prv.ValueLabel{Value: 0, Label: "Off the path"},
		prv.ValueLabel{Value: 1, Label: "On the critical path"})
	return &out
}

// withMarks merges marks into the events of a thread: each on its own line, before the thread's events of that time, so
// events at the instant when the path enters are on it.
func withMarks(e *prv.Events, marks []mark) prv.Events {
	had := slices.Contains(e.Type, EventType)
	if len(marks) == 0 && !had {
		return *e
	}
	n := e.Len() + len(marks)
	out := prv.Events{Time: make([]int64, 0, n), Type: make([]uint32, 0, n), Value: prv.NewValues(n),
		Lines: prv.NewBits(n)}
	if e.CPU != nil {
		out.CPU = make([]int32, 0, n)
	}
	add := func(time int64, typ uint32, value int64, row int, line bool) {
		if line {
			out.Lines.Set(len(out.Time))
		}
		out.Time, out.Type = append(out.Time, time), append(out.Type, typ)
		out.Value.Append(value)
		if e.CPU != nil {
			out.CPU = append(out.CPU, e.CPU[max(0, min(row, e.Len()-1))])
		}
	}
	line := false
	for i := 0; i <= e.Len(); i++ {
		for len(marks) > 0 && (i == e.Len() || marks[0].time <= e.Time[i]) {
			add(marks[0].time, EventType, marks[0].value, i, true)
			marks = marks[1:]
		}
		if i == e.Len() {
			break
		}
		line = line || e.Lines.Has(i)
		if e.Type[i] == EventType {
			continue
		}
		add(e.Time[i], e.Type[i], e.Value.At(i), i, line)
		line = false
	}
	return out
}
