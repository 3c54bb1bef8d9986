package record

// Kernel counters, read by perf_event_open before and after calls: they become events of Extrae's types, each with the
// count since the previous reading.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// counter is a counter that can be recorded.
type counter struct {
	name  string
	typ   uint32 // of events
	label string
	// For perf_event_open.
	kind   int // 0: hardware, 1: software
	config int
}

// knownCounters are the counters with Extrae's types, except for the last one, for which Extrae has none.
var knownCounters = []counter{
	{"instructions", extrae.Instructions, "PAPI_TOT_INS [Instr completed]", 0, 1},
	{"cycles", extrae.Cycles, "PAPI_TOT_CYC [Total cycles]", 0, 0},
	{"task-clock", 44838979, "perf::TASK-CLOCK [PERF_COUNT_SW_TASK_CLOCK]", 1, 1},
	{"page-faults", 44731460, "perf::PAGE-FAULTS [PERF_COUNT_SW_PAGE_FAULTS]", 1, 2},
	{"context-switches", 44497714, "perf::CONTEXT-SWITCHES [PERF_COUNT_SW_CONTEXT_SWITCHES]", 1, 3},
	{"cpu-migrations", 44999999, "perf::CPU-MIGRATIONS [PERF_COUNT_SW_CPU_MIGRATIONS]", 1, 4},
}

// NotCounted is the start of notes on counters that did not count.
const NotCounted = "not counted: "

// counterNamed returns a counter by its name, nil if there is none.
func counterNamed(name string) *counter {
	i := slices.IndexFunc(knownCounters, func(c counter) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &knownCounters[i]
}

// CounterNames returns the names of the counters that can be recorded.
func CounterNames() (list []string) {
	for _, c := range knownCounters {
		list = append(list, c.name)
	}
	return list
}

// CheckCounters reports counters that are unknown or named twice.
func CheckCounters(names []string) error {
	for i, name := range names {
		if counterNamed(name) == nil {
			return fmt.Errorf("unknown counter %q; known: %s", name, strings.Join(CounterNames(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("duplicate %s", name)
		}
	}
	return nil
}

// counterVariable tells the library which counters to open.
func counterVariable(names []string) string {
	var list []string
	for _, name := range names {
		c := counterNamed(name)
		list = append(list, fmt.Sprintf("%s:%d:%d", name, c.kind, c.config))
	}
	return strings.Join(list, ",")
}

// counting is a counter in use by a thread.
type counting struct {
	*counter
	pair   int // index among the counters of a record
	failed syscall.Errno
	last   int64 // reading
}

// readCounting reads the counters that a header names.
func (s *stream) readCounting(text string) error {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	if len(words) > s.counters {
		return fmt.Errorf("%d counters, and room for %d", len(words), s.counters)
	}
	s.cpuTimes = s.counters > len(words)
	for i, word := range words {
		name, number, _ := strings.Cut(word, " ")
		failed, err := strconv.Atoi(number)
		c := counterNamed(name)
		if c == nil || err != nil {
			return fmt.Errorf("unknown counter %q", word)
		}
		s.counting = append(s.counting, counting{counter: c, pair: s.counters - len(words) + i,
			failed: syscall.Errno(failed)})
	}
	return nil
}

// count adds the counts up to a reading, before (0) or after (1) a call. The first reading only starts the count.
func (l *lane) count(r record, after int) {
	for i := range l.counting {
		c := &l.counting[i]
		if c.failed != 0 {
			continue
		}
		now := r.counter(c.pair, after)
		if l.counted {
			l.pairs = append(l.pairs, prv.Pair{Type: c.typ, Value: max(now-c.last, 0)})
		}
		c.last = now
	}
	l.counted = true
}

// labelCounters names the counters that were recorded.
func (m *merger) labelCounters(l *prv.Labels) {
	for _, lane := range m.lanes {
		for _, c := range lane.counting {
			if _, some := l.Type(c.typ); !some && c.failed == 0 {
				l.AddType(c.typ, c.label)
			}
		}
	}
}

// counterNotes reports the counters that did not count, or not all the time.
func (m *merger) counterNotes(add func(n int64, format string, args ...any)) {
	names := map[syscall.Errno][]string{}
	part, shared := 1000, int64(0)
	for _, l := range m.lanes {
		for _, c := range l.counting {
			if c.failed != 0 && !slices.Contains(names[c.failed], c.name) {
				names[c.failed] = append(names[c.failed], c.name)
			}
		}
		if p := l.stream.counted; p > 0 && p < 990 {
			part, shared = min(part, p), shared+1
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(names)) {
		add(1, NotCounted+"%s: %s", strings.Join(names[reason], ", "), whyNotCounted(reason))
	}
	add(shared, "counts of %s are too low: the counters were shared, and ran %s of the time at least",
		quantity.CountOf(shared, "thread"), quantity.FormatPercent(float64(part)/1000))
}

// whyNotCounted explains why perf_event_open failed.
func whyNotCounted(reason syscall.Errno) string {
	switch reason {
	case syscall.ENOENT, syscall.EOPNOTSUPP, syscall.ENODEV:
		return "this machine has no such counter"
	case syscall.EACCES, syscall.EPERM:
		return "the system does not allow it (kernel.perf_event_paranoid)"
	case syscall.EINVAL:
		return "not together with the others"
	}
	return reason.Error()
}
