package charm

// Summaries (.sum): the utilisation of each PE in intervals of equal length, and sums by entry method. They have no
// messages and no times of executions.

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/extrae/execution"
)

// SummaryMark begins a summary.
const SummaryMark = "ver:"

// Bounds of what a summary may claim.
const (
	mostBins    = 1 << 22
	mostEntries = 1 << 20
)

// summary is the summary of one PE.
type summary struct {
	interval float64 // us
	used     []int64 // percent, by interval
	idle     []int64 // percent; nil: unknown
	time     []int64 // us, by entry
	calls    []int64
	longest  []int64 // us; nil: unknown
	marks    []mark
}

// mark is an event of the program.
type mark struct{ id, time int64 }

// list is a list in a summary: a number for each entry method or interval.
type list struct {
	label      string
	byInterval bool
	of         func(s *summary) *[]int64
}

// lists are in the order of versions without labels.
var lists = []list{
	{"", true, func(s *summary) *[]int64 { return &s.used }},
	{"EPExeTime:", false, func(s *summary) *[]int64 { return &s.time }},
	{"EPCallTime:", false, func(s *summary) *[]int64 { return &s.calls }},
	{"MaxEPTime:", false, func(s *summary) *[]int64 { return &s.longest }},
	{"IdlePercent:", true, func(s *summary) *[]int64 { return &s.idle }},
}

// marksLabel is the label of the marks: their number, and for each its number and the seconds.
const marksLabel = "NumMarks:"

// readSummary reads a summary.
func readSummary(path string) (*summary, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<26)
	s := &summary{}
	bins, entries := 0, 0
	next := 0 // list without a label
	for line := 1; in.Scan(); line++ {
		fields := strings.Fields(in.Text())
		var err error
		switch {
		case len(fields) == 0:
			continue
		case line == 1:
			bins, entries, err = s.header(fields)
		case strings.HasPrefix(fields[0], "["): // of a phase, whose time is not kept
			continue
		case fields[0] == marksLabel:
			err = s.readMarks(fields[1:])
		default:
			k := slices.IndexFunc(lists, func(l list) bool { return l.label == fields[0] })
			if k > 0 {
				fields = fields[1:]
			} else if k = next; k > 2 {
				if k = 3; len(fields) != entries {
					err = s.readMarks(fields)
					break
				}
			}
			next = max(next, k+1)
			size := entries
			if lists[k].byInterval {
				size = bins
			}
			*lists[k].of(s), err = numbers(fields, size)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.interval == 0 {
		return nil, fmt.Errorf("%s:1: does not begin with %s", path, SummaryMark)
	}
	return s, nil
}

// header reads "ver:7.1 PE/PES count:bins ep:entries interval:seconds phases:k".
func (s *summary) header(fields []string) (bins, entries int, err error) {
	for _, f := range fields {
		key, value, ok := strings.Cut(f, ":")
		if !ok {
			continue
		}
		switch key {
		case "count":
			bins, err = strconv.Atoi(value)
		case "ep":
			entries, err = strconv.Atoi(value)
		case "interval":
			s.interval, err = strconv.ParseFloat(value, 64)
			s.interval *= 1e6
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s: must be a number", f)
		}
	}
	switch {
	case !strings.HasPrefix(fields[0], SummaryMark):
		return 0, 0, fmt.Errorf("does not begin with %s", SummaryMark)
	case bins < 0 || bins > mostBins:
		return 0, 0, fmt.Errorf("count:%d: must be a number up to %d", bins, mostBins)
	case entries < 0 || entries > mostEntries:
		return 0, 0, fmt.Errorf("ep:%d: must be a number up to %d", entries, mostEntries)
	case !(s.interval >= 1) || s.interval*float64(max(bins, 1)) > latest:
		return 0, 0, fmt.Errorf("interval:%g: must be at least a microsecond, and the run less than 285 years",
			s.interval/1e6)
	}
	return bins, entries, nil
}

// numbers reads a list of at most size numbers; value+n stands for n equal ones.
func numbers(fields []string, size int) ([]int64, error) {
	all := make([]int64, 0, min(size, 1<<16))
	for _, f := range fields {
		value, times, repeated := strings.Cut(f, "+")
		v, err := strconv.ParseFloat(value, 64)
		n := 1
		if err == nil && repeated {
			n, err = strconv.Atoi(times)
		}
		if err != nil || math.Abs(v) > latest || math.IsNaN(v) || n < 1 {
			return nil, fmt.Errorf("%q: must be a number, or a number+count", f)
		}
		if n > size-len(all) {
			return nil, fmt.Errorf("more than the %d numbers of the first line", size)
		}
		for range n {
			all = append(all, int64(math.Round(v)))
		}
	}
	return all, nil
}

func (s *summary) readMarks(fields []string) error {
	for ; len(fields) > 2; fields = fields[2:] { // the number of marks, then pairs
		id, err1 := strconv.ParseInt(fields[1], 10, 64)
		at, err2 := strconv.ParseFloat(fields[2], 64)
		if err1 != nil || err2 != nil || !(at >= 0) || at*1e6 > latest {
			return fmt.Errorf("%q, %q: must be a mark and its time", fields[1], fields[2])
		}
		s.marks = append(s.marks, mark{id, int64(math.Round(at * 1e6))})
	}
	return nil
}

// edge returns the begin of an interval.
func (s *summary) edge(k int) int64 { return int64(math.Round(float64(k) * s.interval)) }

// end returns the end of the time that the summary covers.
func (s *summary) end() int64 {
	end := s.edge(len(s.used))
	for _, m := range s.marks {
		end = max(end, m.time)
	}
	return end
}

// buildSummaries makes the trace; nil for a PE without a summary.
func buildSummaries(run *run, all []*summary) (*prv.Trace, error) {
	b := &builder{run: run}
	for _, s := range all {
		if s != nil {
			b.finish = max(b.finish, s.end())
		}
	}
	b.place()
	missing, interval, idle := 0, 0.0, true
	for pe, s := range all {
		if s == nil {
			missing++
			continue
		}
		interval, idle = s.interval, idle && s.idle != nil
		b.summarise(b.thread[pe], s)
	}
	t, err := b.out.Build()
	if err != nil {
		return nil, err
	}
	t.Path, t.Names, t.Labels = run.path, b.rows(), b.summaryLabels(idle)
	note := func(format string, args ...any) {
		t.Notes = append(t.Notes, prv.Note{File: run.path, Text: fmt.Sprintf(format, args...)})
	}
	note("a summary: utilisation by intervals of %g ms, and sums by entry method; there are no messages, and where in "+
		"an interval a PE computes is not recorded", interval/1000)
	if missing > 0 {
		note("%d of %d PEs have no summary", missing, len(all))
	}
	return t, nil
}

// summarise writes the states and events of a PE: in each interval it computes first, then is idle if that is known.
func (b *builder) summarise(thread int32, s *summary) {
	since, at, state := int64(0), int64(0), uint32(0)
	lasts := func(until int64, v uint32) {
		if until <= at {
			return
		}
		if v != state && at > since {
			b.out.State(thread, 0, since, at, state)
			since = at
		}
		state, at = v, until
	}
	before := [2]int64{-1, -1}
	for k, used := range s.used {
		from, to := s.edge(k), s.edge(k+1)
		part := func(percent int64) int64 {
			return int64(math.Round(float64(min(max(percent, 0), 100)) / 100 * float64(to-from)))
		}
		lasts(from+part(used), stateRunning)
		now, rest := [2]int64{used, -1}, uint32(stateUntold)
		pairs := []prv.Pair{{Type: execution.Utilisation, Value: used}}
		if k < len(s.idle) {
			now[1], rest = s.idle[k], stateRuntime
			pairs = append(pairs, prv.Pair{Type: execution.IdleShare, Value: s.idle[k]})
			lasts(min(to, from+part(used)+part(s.idle[k])), stateIdle)
		}
		lasts(to, rest)
		if now != before {
			b.out.Event(thread, 0, from, pairs...)
			before = now
		}
	}
	lasts(b.finish, stateAbsent)
	if at > since {
		b.out.State(thread, 0, since, at, state)
	}
	for _, m := range s.marks {
		b.out.Event(thread, 0, m.time, prv.Pair{Type: typeUser, Value: m.id + 1})
	}
	of := func(list []int64, entry int) int64 {
		if entry < len(list) {
			return list[entry]
		}
		return 0
	}
	for entry := range max(len(s.time), len(s.calls)) {
		time, calls := of(s.time, entry), of(s.calls, entry)
		if time <= 0 && calls <= 0 {
			continue
		}
		pairs := []prv.Pair{{Type: execution.SummedEntry, Value: int64(entry) + 1},
			{Type: execution.SummedTime, Value: time}, {Type: execution.SummedCalls, Value: calls}}
		if s.longest != nil {
			pairs = append(pairs, prv.Pair{Type: execution.SummedLongest, Value: of(s.longest, entry)})
		}
		b.out.Event(thread, 0, b.finish, pairs...)
	}
}

// summaryLabels returns the labels of a summary; idle: idle time is known separately from the runtime system's.
func (b *builder) summaryLabels(idle bool) *prv.Labels {
	l := &prv.Labels{}
	for _, s := range states {
		if s != stateUntraced && s != stateOverhead {
			l.AddState(s, prv.DefaultStates[s].Label)
		}
	}
	if !idle {
		l.AddState(stateUntold, "Idle, or runtime system")
	}
	l.AddType(execution.Utilisation, "Utilisation in the interval (%)")
	l.AddType(execution.IdleShare, "Idle in the interval (%)")
	l.AddType(execution.SummedEntry, "Entry method, in sum", b.entryLabels()...)
	l.AddType(execution.SummedTime, "Time of all its executions (us)")
	l.AddType(execution.SummedCalls, "Executions")
	l.AddType(execution.SummedLongest, "Longest execution (us)")
	l.AddType(typeUser, "User event", named(b.run.events)...)
	return l
}
