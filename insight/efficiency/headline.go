package efficiency

// The headline: the factors, put into words, with the evidence behind each sentence.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// simulated is the maximum number of records of a run simulated on an ideal network, for the parts of the communication
// efficiency.
const simulated = 500_000

// Headline says how efficient a run is and where its time goes. It reads the states of all threads, one pass, with
// memory for one thread per processor; only small measured traces are simulated. The only error is ctx's.
func Headline(ctx context.Context, t *prv.Trace, predicted bool) (*report.Headline, error) {
	if t.CPUTime() {
		return &report.Headline{Lines: []report.Line{
			{Sentence: "times are CPU times, without waits: simulate the run to see them"}}}, nil
	}
	run, err := Measure(ctx, t, Options{TimesOnly: predicted || records(t) > simulated})
	if err != nil {
		return nil, err
	}
	states, err := countStates(ctx, t)
	if err != nil {
		return nil, err
	}
	compared := Compare([]*Run{run}, Strong)
	h := &report.Headline{}
	for i := range Factors {
		f := &Factors[i]
		if v := compared.Value(f, 0); f.Abbr != "" && !math.IsNaN(v) {
			h.Factors = append(h.Factors, report.Figure{Title: f.Title, Short: f.Short, Abbr: f.Abbr, Value: v})
		}
	}
	if len(h.Factors) < 3 { // no useful time
		h.Factors = nil
	} else {
		h.Lines = append(h.Lines, why(t, run, states, h.Factors[0].Value, h.Factors[1].Value, h.Factors[2].Value))
	}
	if l, ok := states.line(t); ok && (len(h.Lines) == 0 || !strings.Contains(h.Lines[0].Sentence, l.Sentence)) {
		h.Lines = append(h.Lines, l)
	}
	return h, nil
}

func records(t *prv.Trace) (n int) {
	for i := range t.Threads {
		n += t.Threads[i].States.Len() + t.Threads[i].Events.Len()
	}
	return n + t.Comms.Len()
}

// why says how efficient a run is, and which factor costs most. With good load balance and communication there is no
// culprit.
func why(t *prv.Trace, run *Run, states *stateTimes, parallel, balance, communication float64) report.Line {
	l := report.Line{Opens: report.Efficiency}
	text := quantity.FormatPercent(parallel/100) + " efficient"
	nameState := func() {
		if s, ok := states.line(t); ok {
			text += "; " + s.Sentence
			l.Evidence = s.Evidence
		}
	}
	switch {
	case len(t.Threads) == 1: // it waits for no other thread
		nameState()
	case balance >= good && communication >= good:
		text += fmt.Sprintf(": %s %s, %s %s", Balance.Short, quantity.FormatPercent(balance/100),
			Communication.Short, quantity.FormatPercent(communication/100))
	case balance <= communication:
		text += ": " + Balance.Short + " " + quantity.FormatPercent(balance/100)
		if s, threads := extremes(t, run); s != "" {
			text += "; " + s
			l.Evidence.Threads = threads
		}
	default:
		text += ": " + Communication.Short + " " + quantity.FormatPercent(communication/100)
		nameState()
	}
	l.Sentence = text
	return l
}

// extremes names the thread that computes longest, and the runner-up if it is far behind, else the one that computes
// least.
func extremes(t *prv.Trace, run *Run) (string, []int) {
	n := len(run.Useful)
	if n < 2 || n != len(t.Threads) || run.Runtime == 0 {
		return "", nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(run.Useful[b], run.Useful[a]) })
	share := func(i int) string { return quantity.FormatPercent(float64(run.Useful[i]) / float64(run.Runtime)) }
	most, next, least := order[0], order[1], order[n-1]
	if 3*run.Useful[next] <= 2*run.Useful[most] {
		return fmt.Sprintf("%s useful %s, next %s", threadName(t, most), share(most), share(next)), []int{most, next}
	}
	return fmt.Sprintf("%s useful %s, %s only %s", threadName(t, most), share(most), threadName(t, least),
		share(least)), []int{most, least}
}

// threadName returns the name of a thread inside a sentence.
func threadName(t *prv.Trace, i int) string {
	name := t.Name(prv.LevelThread, i)
	if rest, ok := strings.CutPrefix(name, "THREAD "); ok {
		return "thread " + rest
	}
	return name
}

// stateTimes returns the time of each state in each thread.
type stateTimes struct {
	byThread []map[uint32]int64
	total    map[uint32]wide.Int
	duration int64
	meanings *extrae.States
}

// countStates adds up the states of all threads.
func countStates(ctx context.Context, t *prv.Trace) (*stateTimes, error) {
	from, to := execution.Window(t)
	s := &stateTimes{byThread: make([]map[uint32]int64, len(t.Threads)), total: map[uint32]wide.Int{},
		duration: to - from, meanings: extrae.StatesOf(t.Labels, extrae.Auto)}
	err := parallel.For(ctx, len(t.Threads), func(i int) error {
		times := map[uint32]int64{}
		states := &t.Threads[i].States
		last, sum := uint32(0), int64(0)
		for k, v := range states.Value {
			if v != last {
				times[last] += sum
				last, sum = v, 0
			}
			if states.HasEnd(k) {
				sum += states.End[k] - states.Begin[k]
			}
		}
		times[last] += sum
		s.byThread[i] = times
		return ctx.Err()
	})
	for _, times := range s.byThread {
		for v, n := range times {
			s.total[v] = s.total[v].Add(n)
		}
	}
	return s, err
}

// notable is the minimum share of the threads' time, in percent, worth a sentence.
const notable = 2

// line says which state other than computation takes most of the threads' time.
func (s *stateTimes) line(t *prv.Trace) (report.Line, bool) {
	most, time := uint32(0), wide.Int{}
	for v, n := range s.total {
		if m := s.meanings.Meaning(v); m == extrae.Useful || m == extrae.Absent {
			continue
		}
		if c := n.Compare(time); c > 0 || c == 0 && v < most {
			most, time = v, n
		}
	}
	whole := float64(s.duration) * float64(len(s.byThread))
	share := 100 * time.Float() / max(whole, 1)
	if share < notable {
		return report.Line{}, false
	}
	thread := 0
	for i, times := range s.byThread {
		if times[most] > s.byThread[thread][most] {
			thread = i
		}
	}
	text := fmt.Sprintf("%s %s of the time", t.Labels.StateName(int64(most)), quantity.FormatPercent(share/100))
	if len(s.byThread) > 1 {
		text += fmt.Sprintf(", most in %s (%s)", threadName(t, thread),
			quantity.FormatPercent(float64(s.byThread[thread][most])/max(float64(s.duration), 1)))
	}
	return report.Line{Sentence: text, Evidence: report.Place{Threads: []int{thread}}}, true
}
