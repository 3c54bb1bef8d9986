package gpu

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
)

// Document returns the analysis of a trace as a document.
func (a *Analysis) Document(t *prv.Trace) *report.Document {
	d := &report.Document{Title: t.Path, Rows: func() *report.Table { return a.rows(t) },
		Object: func() any { return a.object(t) }}
	d.Add(a.headline(t)...)
	if a.Answer != nil {
		d.Rows = func() *report.Table { return a.Answer.table(t.Unit) }
		d.Add(a.Answer.blocks(a, t)...)
	}
	time := func(title string) report.Column {
		return report.Column{Title: title, Show: func(v any) string { return quantity.FormatDuration(v.(int64), t.Unit) }}
	}
	share := func(title string) report.Column { return report.Column{Title: title, Show: report.ShowShare} }
	devices := &report.Table{Columns: []report.Column{{Title: "Device"}, time("Span"), share("Computing"),
		share("Exposed communication"), share("Exposed memory"), share("Idle"), share("Overlap")}}
	for i := range a.Devices {
		v := &a.Devices[i]
		var overlap any
		if v.Comm > 0 {
			overlap = report.Ratio(v.Overlap, v.Comm)
		}
		devices.Add(v.Title(t), v.Span(), report.Ratio(v.Compute, v.Span()), report.Ratio(v.ExposedComm, v.Span()),
			report.Ratio(v.ExposedMemory, v.Span()), report.Ratio(v.Idle(), v.Span()), overlap)
	}
	d.AddUnder("Time of the devices: shares are of the span, overlap is that of communication under kernels", devices)
	streams := &report.Table{Columns: []report.Column{{Title: "Stream"}, {Title: "Operations"}, time("Busy"),
		time("Launched late"), time("Between kernels"), time("Other gaps"), {Title: "Without launch"},
		time("Mean delay"), time("Longest delay"), {Title: "Longest queue"}}}
	for i := range a.Streams {
		s := &a.Streams[i]
		var mean, longest any
		if s.Launched > 0 {
			mean, longest = s.Delay/s.Launched, s.LongestDelay
		}
		streams.Add(streamName(t, s), s.Operations, s.Busy, s.HostWait, s.KernelWait, s.Other,
			s.Operations-s.Launched, mean, longest, int64(s.LongestQueue))
	}
	d.AddUnder(fmt.Sprintf("Streams: gaps by their cause (between kernels: below %s), delay from the launch call to the "+
		"begin", quantity.FormatDuration(ShortGap/t.Unit.Nanoseconds(), t.Unit)), streams)
	if len(a.Collectives) > 0 {
		d.AddUnder("Collectives: waiting for the last member to begin, and the transfer after it", a.operations(t, time,
			share))
		d.AddUnder("Waits by the rank that begins last", a.stragglers(t, time, share))
	}
	if steps := a.stepTable(t, time); len(steps.Rows) > 0 {
		d.AddUnder("Steps by rank", steps)
	}
	return d
}

// Reply returns a document with only the answer to the questions; without questions, it returns Document.
func (a *Analysis) Reply(t *prv.Trace) *report.Document {
	if a.Answer == nil {
		return a.Document(t)
	}
	d := &report.Document{}
	d.Add(a.Answer.blocks(a, t)...)
	return d
}

// Title names a device and its task.
func (d *Device) Title(t *prv.Trace) string {
	return fmt.Sprintf("%s %s-D%d", t.Name(prv.LevelTask, int(d.Task)), d.Kind, d.Number)
}

func streamName(t *prv.Trace, s *Stream) string {
	return t.Name(prv.LevelTask, int(s.Task)) + " " + s.String()
}

// Headline says what the devices of a run do, and whom their collectives wait for.
func Headline(ctx context.Context, t *prv.Trace) (*report.Headline, error) {
	a, err := Analyze(ctx, t)
	if err != nil {
		return nil, err
	}
	h := &report.Headline{Streams: len(a.Streams), Lines: []report.Line{{Sentence: a.work(), Opens: report.Account}}}
	if e, ok := a.Efficiency(); ok {
		h.Factors = []report.Figure{
			{Title: "device parallel efficiency", Short: "device efficiency", Abbr: "PE", Value: 100 * e.Parallel},
			{Title: "load balance", Short: "load balance", Abbr: "LB", Value: 100 * e.LoadBalance},
			{Title: "communication efficiency", Short: "communication", Abbr: "CommE", Value: 100 * e.Communication},
			{Title: "orchestration efficiency", Short: "orchestration", Abbr: "Orch", Value: 100 * e.Orchestration}}
	}
	if waits := a.waits(t); waits != "" {
		h.Lines = append(h.Lines, report.Line{Sentence: waits, Opens: report.Account})
	}
	return h, nil
}

// exchanges reports whether some of the matched operations are sends and receives.
func (a *Analysis) exchanges() bool {
	return slices.ContainsFunc(a.Collectives, func(c Collective) bool { return device.BetweenTwo(c.Operation) })
}

// Matched names the matched operations: collectives, or communication where some are sends and receives.
func (a *Analysis) Matched() string {
	if a.exchanges() {
		return "communication"
	}
	return "collectives"
}

// work says what the devices do.
func (a *Analysis) work() string {
	var total Device
	span := int64(0)
	for i := range a.Devices {
		d := &a.Devices[i]
		span += d.Span()
		total.Compute += d.Compute
		total.ExposedComm += d.ExposedComm
		total.ExposedMemory += d.ExposedMemory
		total.Busy += d.Busy
	}
	percent := func(n int64) string { return quantity.FormatPercent(report.Ratio(n, span)) }
	whose := "their"
	if len(a.Devices) == 1 {
		whose = "its"
	}
	return fmt.Sprintf("%s: computing %s of %s span (first to last operation), exposed communication %s, exposed "+
		"memory %s, idle %s",
		quantity.CountOf(int64(len(a.Devices)), "device"), percent(total.Compute), whose, percent(total.ExposedComm),
		percent(total.ExposedMemory), percent(span-total.Busy))
}

// waits says how much of the collectives is waiting, and for whom; "" if there is none.
func (a *Analysis) waits(t *prv.Trace) string {
	time, wait, worst := int64(0), int64(0), 0
	for i := range a.Collectives {
		time, wait = time+a.Collectives[i].Time, wait+a.Collectives[i].Wait
	}
	for i := range a.Charged {
		if a.Charged[i] > a.Charged[worst] {
			worst = i
		}
	}
	if wait == 0 {
		return ""
	}
	matched := "matched collective"
	if a.exchanges() {
		matched = "matched operation"
	}
	return fmt.Sprintf("%s of the time in %s is waiting for the last rank to begin; %s of it for %s",
		quantity.FormatPercent(report.Ratio(wait, time)), quantity.CountOf(int64(len(a.Collectives)), matched),
		quantity.FormatPercent(report.Ratio(a.Charged[worst], wait)), t.Name(prv.LevelTask, worst))
}

// headline sums up.
func (a *Analysis) headline(t *prv.Trace) (list []report.Block) {
	list = append(list, &report.Passage{Tone: report.Strong, Text: a.work() + "."})
	if e, ok := a.Efficiency(); ok {
		list = append(list, report.Sentence(fmt.Sprintf("Device parallel efficiency %.4f (computing in the whole "+
			"run of %s) = load balance %.4f x communication %.4f x orchestration %.4f.", e.Parallel,
			quantity.FormatDuration(a.Elapsed, t.Unit), e.LoadBalance, e.Communication, e.Orchestration)))
	}
	switch waits := a.waits(t); {
	case waits != "":
		list = append(list, report.Sentence(waits+"."))
	case a.Alone > 0:
		list = append(list, &report.Passage{Tone: report.Note, Text: fmt.Sprintf("Of %s only one member is recorded: how "+
			"much of the time is waiting is not known.", quantity.CountOf(int64(a.Alone), "collective"))})
	}
	if slices.ContainsFunc(a.Collectives, func(c Collective) bool {
		return t.Labels.ValueName(device.Group, c.Group) == device.AssumedGroup
	}) {
		list = append(list, &report.Passage{Tone: report.Note, Text: "The trace names no process groups: collectives are " +
			"matched by operation and time, as if all ranks were one group."})
	}
	if slices.ContainsFunc(a.Collectives, func(c Collective) bool { return int64(c.Members) < c.Size }) {
		list = append(list, &report.Passage{Tone: report.Note, Text: "Not all members of the groups are recorded: waits " +
			"are lower bounds."})
	}
	if unlaunched := a.unlaunched(); unlaunched > 0 {
		list = append(list, &report.Passage{Tone: report.Note, Text: fmt.Sprintf("%s without a launch call in the trace: "+
			"gaps before such count as other gaps unless short.", quantity.CountOf(unlaunched, "operation"))})
	}
	return list
}

func (a *Analysis) unlaunched() (n int64) {
	for i := range a.Streams {
		n += a.Streams[i].Operations - a.Streams[i].Launched
	}
	return n
}

// operations returns a table of the collectives by operation.
func (a *Analysis) operations(t *prv.Trace, time, share func(string) report.Column) *report.Table {
	type sum struct {
		n, time, wait, transfer int64
		rate                    float64
		rated                   int
	}
	of := map[int64]*sum{}
	for i := range a.Collectives {
		c := &a.Collectives[i]
		s := of[c.Operation]
		if s == nil {
			s = &sum{}
			of[c.Operation] = s
		}
		s.n, s.time, s.wait, s.transfer = s.n+1, s.time+c.Time, s.wait+c.Wait, s.transfer+c.Transfer
		if r, ok := c.busBandwidth(t.Unit.Nanoseconds()); ok {
			s.rate, s.rated = s.rate+r, s.rated+1
		}
	}
	table := &report.Table{Columns: []report.Column{{Title: "Operation"}, {Title: "Collectives"}, time("Time"),
		time("Waiting"), share("Waiting share"), time("Mean transfer"), {Title: "Mean bus bandwidth", Right: true}}}
	for op := int64(1); op <= int64(len(device.Operations)); op++ {
		s := of[op]
		if s == nil {
			continue
		}
		rate := ""
		if s.rated > 0 {
			rate = fmt.Sprintf("%.1f GB/s", s.rate/float64(s.rated))
		}
		table.Add(device.Operations[op-1], s.n, s.time, s.wait, report.Ratio(s.wait, s.time), s.transfer/s.n, rate)
	}
	return table
}

// stragglers returns a table of the tasks that others wait for.
func (a *Analysis) stragglers(t *prv.Trace, time, share func(string) report.Column) *report.Table {
	sum, times := int64(0), make([]int64, len(a.Charged))
	for i := range a.Collectives {
		sum += a.Collectives[i].Wait
		times[a.Collectives[i].Late]++
	}
	table := &report.Table{Top: 10, Columns: []report.Column{{Title: "Rank"}, {Title: "Last in"}, time("Waits for it"),
		share("Share")}}
	order := make([]int, len(a.Charged))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(a.Charged[y], a.Charged[x]) })
	for _, i := range order {
		if times[i] > 0 {
			table.Add(t.Name(prv.LevelTask, i), times[i], a.Charged[i], report.Ratio(a.Charged[i], sum))
		}
	}
	return table
}

// stepTable has a row for each iteration: the shortest, mean and longest of the ranks, and the longest one.
func (a *Analysis) stepTable(t *prv.Trace, time func(string) report.Column) *report.Table {
	table := &report.Table{Top: 20, Columns: []report.Column{{Title: "Step"}, {Title: "Ranks"}, time("Shortest"),
		time("Mean"), time("Longest"), {Title: "Longest on"}}}
	list := slices.Clone(a.Steps)
	slices.SortStableFunc(list, func(x, y Step) int {
		return cmp.Or(cmp.Compare(x.Number, y.Number), cmp.Compare(x.Task, y.Task))
	})
	for i := 0; i < len(list); {
		n, sum := i, int64(0)
		least, most := &list[i], &list[i]
		for ; n < len(list) && list[n].Number == list[i].Number; n++ {
			s := &list[n]
			sum += s.End - s.Begin
			if s.End-s.Begin < least.End-least.Begin {
				least = s
			}
			if s.End-s.Begin > most.End-most.Begin {
				most = s
			}
		}
		ranks, on := int64(n-i), t.Name(prv.LevelTask, int(most.Task))
		if ranks > 1 && least.End-least.Begin == most.End-most.Begin {
			on = "all"
		}
		table.Add(fmt.Sprint(list[i].Number), ranks, least.End-least.Begin, sum/ranks, most.End-most.Begin, on)
		i = n
	}
	return table
}

// rows returns the devices for programs, in ns.
func (a *Analysis) rows(t *prv.Trace) *report.Table {
	table := &report.Table{}
	for _, key := range []string{"task", "device", "span_ns", "busy_ns", "idle_ns", "compute_ns", "communication_ns",
		"memory_ns", "exposed_communication_ns", "exposed_memory_ns", "overlap_ns", "operations"} {
		table.Columns = append(table.Columns, report.Column{Key: key})
	}
	ns := t.Unit.Nanoseconds()
	for i := range a.Devices {
		d := &a.Devices[i]
		table.Add(int64(d.Task)+1, int64(d.Number), d.Span()*ns, d.Busy*ns, d.Idle()*ns, d.Compute*ns, d.Comm*ns,
			d.Memory*ns, d.ExposedComm*ns, d.ExposedMemory*ns, d.Overlap*ns, d.Operations)
	}
	return table
}

// object returns the analysis for programs, in ns.
func (a *Analysis) object(t *prv.Trace) report.Object {
	ns := t.Unit.Nanoseconds()
	streams, collectives, steps := []report.Object{}, []report.Object{}, []report.Object{}
	for i := range a.Streams {
		s := &a.Streams[i]
		streams = append(streams, report.NewObject("task", s.Task+1, "stream", s.String(), "operations", s.Operations,
			"busy_ns", s.Busy*ns, "host_wait_ns", s.HostWait*ns, "kernel_wait_ns", s.KernelWait*ns, "other_ns",
			s.Other*ns, "launched", s.Launched, "delay_ns", s.Delay*ns, "longest_delay_ns", s.LongestDelay*ns,
			"before_launch", s.Early, "longest_queue", s.LongestQueue))
	}
	for i := range a.Collectives {
		c := &a.Collectives[i]
		o := report.NewObject("group", c.Group, "number", c.Turn, "operation", device.Operations[c.Operation-1], "members",
			c.Members, "begin_ns", c.Begin*ns, "last_ns", c.Last*ns, "last_task", c.Late+1, "time_ns", c.Time*ns,
			"wait_ns", c.Wait*ns, "transfer_ns", c.Transfer*ns)
		if r, ok := c.busBandwidth(ns); ok {
			o = o.With("bus_gb_per_s", r)
		}
		collectives = append(collectives, o)
	}
	for _, s := range a.Steps {
		steps = append(steps, report.NewObject("task", s.Task+1, "step", s.Number, "begin_ns", s.Begin*ns, "length_ns",
			(s.End-s.Begin)*ns))
	}
	o := report.NewObject("path", t.Path, "elapsed_ns", a.Elapsed*ns)
	if e, ok := a.Efficiency(); ok {
		o = o.With("parallel_efficiency", e.Parallel, "load_balance", e.LoadBalance, "communication_efficiency",
			e.Communication, "orchestration_efficiency", e.Orchestration)
	}
	if a.Answer != nil {
		o = o.With("what_if", a.Answer.object(ns))
	}
	return o.With("devices", a.rows(t).Objects(), "streams", streams, "collectives", collectives, "alone", a.Alone,
		"steps", steps)
}
