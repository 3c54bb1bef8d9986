package semantic

// Thread functions on events. Each event that passes the filter starts a
// burst.

var eventFunctions = []Entry{
	{Name: "Last Evt Type", Aliases: []string{"Last Event Type"}, Group: "Event", Doc: "type of the last event; 0 before the first",
		thread: func(x *threadRow, _ params) bursts {
			e, rows := &x.records().Events, x.events()
			b := newBursts(x.end, 0, len(rows))
			for _, i := range rows {
				b.add(e.Time[i], float64(e.Type[i]))
			}
			return b
		}},
	{Name: "Last Evt Val", Aliases: []string{"Last Event Value"}, Group: "Event", Doc: "value of the last event; 0 before the first",
		thread: func(x *threadRow, _ params) bursts {
			e, rows := &x.records().Events, x.events()
			v := x.eventValues(rows)
			b := newBursts(x.end, 0, len(rows))
			for k, i := range rows {
				b.add(e.Time[i], v[k])
			}
			return b
		}},
}

// events returns the rows of the thread's events that pass the filter.
func (x *threadRow) events() []int32 {
	e := &x.records().Events
	if x.pass.Events.All() {
		return x.pass.Events.Select(make([]int32, 0, e.Len()), e)
	}
	return x.pass.Events.Select(nil, e)
}

// eventValues returns the values of events, their precision applied.
func (x *threadRow) eventValues(rows []int32) []float64 {
	v := make([]float64, len(rows))
	x.pass.Events.Values(v, &x.records().Events, rows)
	return v
}
