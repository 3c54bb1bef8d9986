package semantic

// Thread functions on events. Each event that passes the filter starts a
// burst.
//
// The thesis spells some names in full, and its values are 0 before the first event, where today's Paraver looks ahead
// to it; both variants are here.

var eventFunctions = []Entry{
	{Name: "Last Evt Type", Meaning: EventTypes, Aliases: []string{"Last Event Type"}, Group: "Event",
		Doc: "type of the last event; 0 before the first",
		thread: threadFunc{toEvents, func(x *threadRow, m *marks, _ params, v []float64) {
			types := x.records().Events.Type
			for k := 1; k < len(v); k++ {
				v[k] = float64(types[m.rec[k]])
			}
		}}},
	{Name: "Last Evt Val", Meaning: EventValues, Aliases: []string{"Last Event Value"}, Group: "Event",
		Doc:    "value of the last event; 0 before the first",
		thread: threadFunc{toEvents, lastValues}},
	{Name: "Last Evt Val w/o Bursts", Meaning: EventValues, Group: "Event",
		Doc: "value of the last event whose value is not 0", History: true,
		thread: threadFunc{toEvents, func(x *threadRow, m *marks, p params, v []float64) {
			lastValues(x, m, p, v)
			for k := 1; k < len(v); k++ {
				if v[k] == 0 {
					v[k] = v[k-1]
				}
			}
		}}},
	{Name: "Next Evt Type", Meaning: EventTypes, Group: "Event", Doc: "type of the next event; 0 after the last",
		thread: threadFunc{toEvents, nextTypes}},
	{Name: "Next Evt Val", Meaning: EventValues, Group: "Event", Doc: "value of the next event; 0 after the last",
		thread: threadFunc{toEvents, nextValues}},
	{Name: "Avg Next Evt Val", Group: "Event",
		Doc:    "value of the next event, times the factor, over the time between the two; 0 after the last",
		Params: factor(1), thread: threadFunc{toEvents, averageNext}},
	{Name: "Avg Last Evt Val", Aliases: []string{"Average Last Evt Val"}, Group: "Event",
		Doc:    "value of the last event, times the factor, over the time to the next; 0 after the last",
		Params: factor(1), thread: threadFunc{toEvents, averageLast}},
	{Name: "Given Evt Val", Meaning: EventValues, Aliases: []string{"Given Event Value"}, Group: "Event",
		Doc: "value of the last event if it is listed, else 0", Params: listedValues,
		thread: ofValue(func(v float64, p params) float64 {
			if p.lists(0, v) {
				return v
			}
			return 0
		})},
	{Name: "In Evt Val", YesNo: true, Asks: EventValues, Aliases: []string{"In Event Value"}, Group: "Event",
		Doc: "1 if the value of the last event is listed, else 0", Params: listedValues,
		thread: ofValue(func(v float64, p params) float64 { return truth(p.lists(0, v)) })},
	{Name: "Int. Between Evt", Meaning: Times, Group: "Event",
		Doc: "time between the last event and the next; 0 before the first and after the last",
		thread: threadFunc{toEvents, func(x *threadRow, m *marks, _ params, v []float64) {
			for k := 1; k+1 < len(v); k++ {
				v[k] = x.clock.at(m.time[k+1] - m.time[k])
			}
		}}},
	{Name: "Not In Evt Val", YesNo: true, Group: "Event",
		Doc: "0 if the value of the last event is listed and before the first event, else 1", Params: listedValues,
		thread: ofValue(func(v float64, p params) float64 { return truth(!p.lists(0, v)) })},
	{Name: "In Evt Range", YesNo: true, Group: "Event",
		Doc:    "1 if the value of the last event lies within the limits, else 0",
		Params: []Param{{Name: "Min value", Default: []float64{0}}, {Name: "Max value", Default: []float64{1}}},
		thread: ofValue(func(v float64, p params) float64 { return truth(v >= p.one(0) && v <= p.one(1)) })},
	{Name: "Event Bytes", Meaning: Bytes, Group: "Event",
		Doc:    "bytes of the messages sent and received between the last event and the next",
		thread: threadFunc{toEvents, eventBytes}},
	{Name: "Event Sent Bytes", Meaning: Bytes, Group: "Event",
		Doc:    "bytes of the messages sent between the last event and the next",
		thread: threadFunc{toEvents, eventSentBytes}},

	{Name: "Next Event Type", Meaning: EventTypes, Group: "Event (thesis)",
		Doc:    "type of the next event; 0 before the first and after the last",
		thread: afterFirst(nextTypes)},
	{Name: "Next Event Value", Meaning: EventValues, Group: "Event (thesis)",
		Doc:    "value of the next event; 0 before the first and after the last",
		thread: afterFirst(nextValues)},
	{Name: "Average Next Event Value", Group: "Event (thesis)",
		Doc: "value of the next event, times the factor, over the time between the two; 0 before the first and " +
			"after the last",
		Params: factor(1000), thread: afterFirst(averageNext)},
	{Name: "Average Last Event Value", Group: "Event (thesis)",
		Doc:    "value of the last event, times the factor, over the time to the next; 0 after the last",
		Params: factor(1000), thread: threadFunc{toEvents, averageLast}},
}

var listedValues = []Param{{Name: "Values", Default: []float64{1}, List: true}}

func factor(f float64) []Param { return []Param{{Name: "Factor", Default: []float64{f}}} }

// ofValue makes a thread function from a function of the event's value.
func ofValue(value func(v float64, p params) float64) threadFunc {
	return threadFunc{toEvents, func(x *threadRow, m *marks, p params, v []float64) {
		lastValues(x, m, p, v)
		for k := 1; k < len(v); k++ {
			v[k] = value(v[k], p)
		}
	}}
}

// afterFirst sets a thread function to 0 before the first event.
func afterFirst(value func(x *threadRow, m *marks, p params, v []float64)) threadFunc {
	return threadFunc{toEvents, func(x *threadRow, m *marks, p params, v []float64) {
		value(x, m, p, v)
		v[0] = 0
	}}
}

// eventMarks returns the events that pass the filter.
func (x *threadRow) eventMarks() *marks {
	e := &x.records().Events
	m := &marks{rec: []int32{-1}}
	if x.pass.Events.All() {
		m.rec = append(make([]int32, 0, e.Len()+1), -1)
	}
	m.rec = x.pass.Events.Select(m.rec, e)
	m.time = make([]int64, len(m.rec))
	for k := 1; k < len(m.rec); k++ {
		m.time[k] = e.Time[m.rec[k]]
	}
	return m
}

func lastValues(x *threadRow, m *marks, _ params, v []float64) {
	x.pass.Events.Values(v[1:], &x.records().Events, m.rec[1:])
}

func nextTypes(x *threadRow, m *marks, _ params, v []float64) {
	types := x.records().Events.Type
	for k := range len(v) - 1 {
		v[k] = float64(types[m.rec[k+1]])
	}
}

func nextValues(x *threadRow, m *marks, _ params, v []float64) {
	x.pass.Events.Values(v[:len(v)-1], &x.records().Events, m.rec[1:])
}

func averageNext(x *threadRow, m *marks, p params, v []float64) {
	nextValues(x, m, p, v)
	perTime(x, m, p, v)
}

func averageLast(x *threadRow, m *marks, p params, v []float64) {
	lastValues(x, m, p, v)
	perTime(x, m, p, v)
	v[len(v)-1] = 0
}

// perTime multiplies values by the factor and divides them by the time to the
// next event.
func perTime(x *threadRow, m *marks, p params, v []float64) {
	f := p.one(0)
	for k := range len(v) - 1 {
		if d := m.time[k+1] - m.time[k]; d != 0 {
			v[k] = v[k] * f / x.clock.at(d)
		} else {
			v[k] = 0
		}
	}
}
