package replay

// Changes of a model, and the run time with them.

import (
	"cmp"
	"math"
	"slices"
)

// Gone as a lag removes an edge.
const Gone = math.MinInt64 / 4

// Edit is a change of a model: other times of threads, other lags, more edges. It belongs to one model. While being
// edited it has its own columns; Seal keeps only the differences.
type Edit struct {
	m     *Model
	own   []int64 // nil: as measured
	lag   []int64
	owns  []entry // the differences, if sealed
	lags  []entry
	extra []extraEdge
}

// entry is a value that differs from the model's.
type entry struct {
	at    int32
	value int64
}

type extraEdge struct {
	to, from int32
	lag      int64
}

// NewEdit returns an empty change.
func (m *Model) NewEdit() *Edit { return &Edit{m: m} }

// Seal frees the memory of columns: an edit that is kept stores only the differences.
func (e *Edit) Seal() {
	if e.owns == nil {
		e.owns = differing(e.m.Own, e.own)
	}
	if e.lags == nil {
		e.lags = differing(e.m.Lag, e.lag)
	}
	e.own, e.lag = nil, nil
}

func differing(base, list []int64) (out []entry) {
	for i, v := range list {
		if v != base[i] {
			out = append(out, entry{int32(i), v})
		}
	}
	return out
}

// column returns a column of the model with the differences applied; nil if none.
func column(base, list []int64, sealed []entry) []int64 {
	if list != nil || sealed == nil {
		return list
	}
	list = slices.Clone(base)
	for _, x := range sealed {
		list[x.at] = x.value
	}
	return list
}

// open creates the columns of an edit before it is changed.
func (e *Edit) open() {
	e.own, e.lag = column(e.m.Own, e.own, e.owns), column(e.m.Lag, e.lag, e.lags)
	e.owns, e.lags = nil, nil
}

// Add adds to a thread's own time before a node.
func (e *Edit) Add(node int32, d int64) {
	if e.own == nil {
		if e.open(); e.own == nil {
			e.own = slices.Clone(e.m.Own)
		}
	}
	e.own[node] = max(0, e.own[node]+d)
}

// OwnAt returns the thread's own time before a node with the change.
func (e *Edit) OwnAt(node int32) int64 {
	if e.owns != nil {
		e.open()
	}
	if e.own == nil {
		return e.m.Own[node]
	}
	return e.own[node]
}

// lagAt returns the lag of an edge with the change.
func (e *Edit) lagAt(edge int32) int64 {
	if e.lags != nil {
		e.open()
	}
	if e.lag == nil {
		return e.m.Lag[edge]
	}
	return e.lag[edge]
}

// SetLag sets the lag of an edge.
func (e *Edit) SetLag(edge int32, lag int64) {
	if e.lag == nil {
		if e.open(); e.lag == nil {
			e.lag = slices.Clone(e.m.Lag)
		}
	}
	e.lag[edge] = lag
}

// Link adds an edge between two nodes; it must lead to a higher number.
func (e *Edit) Link(from, to int32, lag int64) {
	if from < to && from >= 0 {
		e.extra = append(e.extra, extraEdge{to, from, lag})
	}
}

// IsEmpty reports whether nothing is changed.
func (e *Edit) IsEmpty() bool {
	return e.own == nil && e.lag == nil && e.owns == nil && e.lags == nil && e.extra == nil
}

// Join adds the changes of another edit of the same model; if both change a time, the differences add up.
func (e *Edit) Join(o *Edit) *Edit {
	return &Edit{m: e.m, extra: slices.Concat(e.extra, o.extra),
		own: joined(e.m.Own, column(e.m.Own, e.own, e.owns), column(e.m.Own, o.own, o.owns), false),
		lag: joined(e.m.Lag, column(e.m.Lag, e.lag, e.lags), column(e.m.Lag, o.lag, o.lags), true)}
}

// joined adds two changes of a column; if both change a lag, the smaller counts.
func joined(base, x, y []int64, lags bool) []int64 {
	if x == nil {
		return slices.Clone(y)
	}
	if y == nil {
		return slices.Clone(x)
	}
	out := slices.Clone(x)
	for i := range out {
		switch {
		case y[i] == base[i]:
		case x[i] == base[i]:
			out[i] = y[i]
		case lags:
			out[i] = min(out[i], y[i])
		default:
			out[i] = max(0, out[i]+y[i]-base[i])
		}
	}
	return out
}

// Run returns the end of the run with a change.
func (m *Model) Run(e *Edit) int64 {
	at := m.Times(e)
	end := int64(0)
	for _, n := range m.Last {
		end = max(end, at[n])
	}
	return end
}

// Times returns the times of the nodes with a change.
func (m *Model) Times(e *Edit) []int64 {
	own, lag := m.Own, m.Lag
	var extra []extraEdge
	if e != nil {
		if c := column(own, e.own, e.owns); c != nil {
			own = c
		}
		if c := column(lag, e.lag, e.lags); c != nil {
			lag = c
		}
		extra = slices.Clone(e.extra)
		slices.SortFunc(extra, func(x, y extraEdge) int { return cmp.Compare(x.to, y.to) })
	}
	at := make([]int64, len(m.Time))
	for n := range at {
		t := own[n]
		if p := m.Prev[n]; p >= 0 {
			t += at[p]
		}
		for k := m.First[n]; k < m.First[n+1]; k++ {
			t = max(t, at[m.Source[k]]+lag[k])
		}
		for ; len(extra) > 0 && extra[0].to == int32(n); extra = extra[1:] {
			t = max(t, at[extra[0].from]+extra[0].lag)
		}
		at[n] = t
	}
	return at
}

// Gain returns the time by which the run is shorter with a change.
func (m *Model) Gain(e *Edit) int64 { return m.Base() - m.Run(e) }

// Base returns the end of the run in the model without a change.
func (m *Model) Base() int64 {
	if m.base == 0 {
		m.base = m.Run(nil)
	}
	return m.base
}
