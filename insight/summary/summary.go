// Package summary says in a line or two how efficient a run is and where its time goes: what the first screen of the
// viewer shows without a key. It is the factors of package efficiency, put into words, with the evidence behind each
// sentence.
//
//	trace --Of--> Summary{Factors, Lines: sentence, evidence, what opens}
package summary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Line is a sentence about a run, and what supports it. Whatever concludes something about a run can fill one.
type Line struct {
	Sentence string
	Evidence Evidence
	Opens    Opens
	Finding  int // that opens, with Findings: its place in the list
}

// Evidence is where in the trace a sentence can be seen.
type Evidence struct {
	Begin, End int64 // trace units; equal: the whole run
	Threads    []int // the first is the one to look at; none: no thread in particular
}

// Opens is what shows more of a sentence.
type Opens uint8

// What opens.
const (
	Nothing    Opens = iota // the evidence says it
	Efficiency              // the factors and the useful time of each thread
	Findings                // a finding, with its formula and evidence
)

// Figure is a factor with its value in percent.
type Figure struct {
	*efficiency.Factor
	Value float64
}

// Summary is what is said of a run.
type Summary struct {
	Factors []Figure // the greatest first: parallel efficiency, then its parts, as far as they have values
	Lines   []Line   // the most important first; none where the trace has no states
}

// simulated is the number of records up to which the run is simulated on an ideal network, for the parts of the
// communication efficiency.
const simulated = 500_000

// Of summarises a run. It reads the states of all threads, one pass, with memory for one thread per processor; only
// small measured traces are simulated. The error is that of ctx.
func Of(ctx context.Context, t *prv.Trace, predicted bool) (*Summary, error) {
	run, err := efficiency.Measure(ctx, t, efficiency.Options{TimesOnly: predicted || records(t) > simulated})
	if err != nil {
		return nil, err
	}
	states, err := countStates(ctx, t)
	if err != nil {
		return nil, err
	}
	report := efficiency.Compare([]*efficiency.Run{run}, efficiency.Strong)
	s := &Summary{}
	for i := range efficiency.Factors {
		f := &efficiency.Factors[i]
		if v := report.Value(f, 0); f.Abbr != "" && !math.IsNaN(v) {
			s.Factors = append(s.Factors, Figure{f, v})
		}
	}
	if len(s.Factors) < 3 { // nothing is ever useful
		s.Factors = nil
	} else {
		s.Lines = append(s.Lines, why(t, run, states, s.Factors[0].Value, s.Factors[1].Value, s.Factors[2].Value))
	}
	if l, ok := states.line(t); ok && (len(s.Lines) == 0 || !strings.Contains(s.Lines[0].Sentence, l.Sentence)) {
		s.Lines = append(s.Lines, l)
	}
	return s, nil
}

func records(t *prv.Trace) (n int) {
	for i := range t.Threads {
		n += t.Threads[i].States.Len() + t.Threads[i].Events.Len()
	}
	return n + t.Comms.Len()
}

// good is the factor, in percent, from which on it is considered good.
const good = 80

// why says how efficient a run is, and which factor costs most. From good load balance and communication on there is no
// culprit.
func why(t *prv.Trace, run *efficiency.Run, states *stateTimes, parallel, balance, communication float64) Line {
	l := Line{Opens: Efficiency}
	text := Percent(parallel) + " efficient"
	nameState := func() {
		if s, ok := states.line(t); ok {
			text += "; " + s.Sentence
			l.Evidence = s.Evidence
		}
	}
	switch {
	case len(t.Threads) == 1: // it waits for nobody
		nameState()
	case balance >= good && communication >= good:
		text += fmt.Sprintf(": load balance %s, communication %s", Rounded(balance), Rounded(communication))
	case balance <= communication:
		text += ": load balance " + Rounded(balance)
		if s, threads := extremes(t, run); s != "" {
			text += "; " + s
			l.Evidence.Threads = threads
		}
	default:
		text += ": communication " + Rounded(communication)
		nameState()
	}
	l.Sentence = text
	return l
}

// extremes names the thread that computes longest, and the one that comes next where there is a gap, else the one that
// computes least.
func extremes(t *prv.Trace, run *efficiency.Run) (string, []int) {
	n := len(run.Useful)
	if n < 2 || n != len(t.Threads) || run.Runtime == 0 {
		return "", nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(run.Useful[b], run.Useful[a]) })
	share := func(i int) string { return Rounded(100 * float64(run.Useful[i]) / float64(run.Runtime)) }
	most, next, least := order[0], order[1], order[n-1]
	if 3*run.Useful[next] <= 2*run.Useful[most] {
		return fmt.Sprintf("%s useful %s, next %s", ThreadName(t, most), share(most), share(next)), []int{most, next}
	}
	return fmt.Sprintf("%s useful %s, %s only %s", ThreadName(t, most), share(most), ThreadName(t, least),
		share(least)), []int{most, least}
}

// ThreadName is the name of a thread inside a sentence.
func ThreadName(t *prv.Trace, i int) string {
	name := t.Name(prv.LevelThread, i)
	if rest, ok := strings.CutPrefix(name, "THREAD "); ok {
		return "thread " + rest
	}
	return name
}

// Percent writes a percentage with one decimal; 100 without.
func Percent(v float64) string {
	if v >= 99.95 {
		return fmt.Sprintf("%.0f %%", v)
	}
	return fmt.Sprintf("%.1f %%", v)
}

// Rounded writes a percentage in whole numbers, below 10 with one decimal.
func Rounded(v float64) string {
	if v < 9.95 {
		return fmt.Sprintf("%.1f %%", v)
	}
	return fmt.Sprintf("%.0f %%", v)
}

// stateTimes is how long each state lasts, in each thread.
type stateTimes struct {
	byThread []map[uint32]int64
	total    map[uint32]int64
	duration int64
	meanings *extrae.States
}

// countStates adds up the states of all threads.
func countStates(ctx context.Context, t *prv.Trace) (*stateTimes, error) {
	s := &stateTimes{byThread: make([]map[uint32]int64, len(t.Threads)), total: map[uint32]int64{},
		duration: t.Duration, meanings: extrae.StatesOf(t.Labels, extrae.Auto)}
	err := parallel.Each(ctx, len(t.Threads), 0, func(_, i int) error {
		times := map[uint32]int64{}
		states := &t.Threads[i].States
		last, sum := uint32(0), int64(0)
		for k, v := range states.Value {
			if v != last {
				times[last] += sum
				last, sum = v, 0
			}
			if states.End[k] != prv.NoEnd {
				sum += states.End[k] - states.Begin[k]
			}
		}
		times[last] += sum
		s.byThread[i] = times
		return ctx.Err()
	})
	for _, times := range s.byThread {
		for v, n := range times {
			s.total[v] += n
		}
	}
	return s, err
}

// notable is the least share of the threads' time, in percent, that is worth a sentence.
const notable = 2

// line says which state other than computation takes most of the threads' time.
func (s *stateTimes) line(t *prv.Trace) (Line, bool) {
	most, time := uint32(0), int64(0)
	for v, n := range s.total {
		if m := s.meanings.Meaning(v); m == extrae.Useful || m == extrae.Absent {
			continue
		}
		if n > time || n == time && v < most {
			most, time = v, n
		}
	}
	whole := float64(s.duration) * float64(len(s.byThread))
	share := 100 * float64(time) / max(whole, 1)
	if share < notable {
		return Line{}, false
	}
	thread := 0
	for i, times := range s.byThread {
		if times[most] > s.byThread[thread][most] {
			thread = i
		}
	}
	text := fmt.Sprintf("%s %s of the time", t.Labels.StateName(int64(most)), Rounded(share))
	if len(s.byThread) > 1 {
		text += fmt.Sprintf(", most in %s (%s)", ThreadName(t, thread),
			Rounded(100*float64(s.byThread[thread][most])/max(float64(s.duration), 1)))
	}
	return Line{Sentence: text, Evidence: Evidence{Threads: []int{thread}}}, true
}
