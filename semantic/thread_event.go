package semantic

// Thread functions on events. Each event that passes the filter starts a
// burst.

var eventFunctions = []Entry{
	{Name: "Last Evt Type", Aliases: []string{"Last Event Type"}, Group: "Event", Doc: "type of the last event; 0 before the first",
		thread: threadFunc{toEvents, func(x *threadRow, m *marks, _ params, v []float64) {
			types := x.records().Events.Type
			for k := 1; k < len(v); k++ {
				v[k] = float64(types[m.rec[k]])
			}
		}}},
	{Name: "Last Evt Val", Aliases: []string{"Last Event Value"}, Group: "Event", Doc: "value of the last event; 0 before the first",
		thread: threadFunc{toEvents, func(x *threadRow, m *marks, _ params, v []float64) {
			x.pass.Events.Values(v[1:], &x.records().Events, m.rec[1:])
		}}},
}

// eventMarks returns the events that pass the filter.
func (x *threadRow) eventMarks() *marks {
	e := &x.records().Events
	m := newMarks(0)
	if x.pass.Events.All() {
		m = newMarks(e.Len())
	}
	m.rec = x.pass.Events.Select(m.rec, e)
	m.time = make([]int64, len(m.rec))
	for k := 1; k < len(m.rec); k++ {
		m.time[k] = e.Time[m.rec[k]]
	}
	return m
}
