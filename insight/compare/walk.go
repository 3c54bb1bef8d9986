package compare

// One thread from the begin of the run to its end: its states, calls, functions, waits and phases are sequences of changes
// that are merged, and the time between two changes belongs to one moment.

import (
	"context"
	"math"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
)

// Classes of waits that states alone tell.
const (
	idle         = "idle"
	noCPU        = "no CPU"
	unclassified = "unclassified"
)

// maxDepth bounds the nesting of calls and functions, against traces in which they never end.
const maxDepth = 1 << 10

const never = int64(math.MaxInt64)

// walker goes through one thread.
type walker struct {
	*reader
	ctx     context.Context
	number  int
	th      *prv.Thread
	waits   []waits.Wait
	spent   [][NumCategories]int64
	sums    map[moment]int64
	derived bool

	at               int64
	row, state, wait int // the next event, state, wait
	phase            int
	calls, funcs     []named // open ones
	now              moment
	mean             extrae.Meaning
	covered          bool // by a state
	starters         map[named]bool
}

func (w *walker) walk() error {
	th := w.th
	w.derived = th.States.Len() == 0 && th.Events.Len() > 0
	end := w.t.Duration
	for n := 0; w.at < end; n++ {
		if n&0xffff == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		w.change(th)
		next := min(end, w.nextState(&th.States), w.nextEvent(&th.Events), w.nextWait(), w.tiling.Phases[w.phase].End)
		w.spend(next - w.at)
		w.at = next
	}
	return nil
}

// change takes all changes that happen now.
func (w *walker) change(th *prv.Thread) {
	for w.phase+1 < len(w.spent) && w.tiling.Phases[w.phase].End <= w.at {
		w.phase++
	}
	e := &th.Events
	for ; w.row < e.Len() && e.Time[w.row] <= w.at; w.row++ {
		w.event(named{e.Type[w.row], e.Value[w.row]})
	}
	s := &th.States
	for w.state+1 < s.Len() && s.Begin[w.state+1] <= w.at {
		w.state++
	}
	w.covered = w.state < s.Len() && s.Begin[w.state] <= w.at && (s.End[w.state] == prv.NoEnd || s.End[w.state] > w.at)
	if w.covered {
		w.mean = w.meanings.Meaning(s.Value[w.state])
	}
	for w.wait < len(w.waits) && (w.waits[w.wait].To <= w.at || !w.waits[w.wait].Class.Info().Waiting) {
		w.wait++
	}
	w.judge()
}

// event opens or closes a call or function.
func (w *walker) event(n named) {
	stack := &w.calls
	switch w.kinds[n.typ] {
	case other:
		return
	case function:
		stack = &w.funcs
	}
	if n.value != 0 {
		if len(*stack) < maxDepth {
			*stack = append(*stack, n)
		}
		return
	}
	for k := len(*stack) - 1; k >= 0; k-- {
		if (*stack)[k].typ == n.typ {
			*stack = append((*stack)[:k], (*stack)[k+1:]...)
			return
		}
	}
}

// judge tells what the thread does now.
func (w *walker) judge() {
	w.now = moment{call: top(w.calls), fn: top(w.funcs)}
	if w.wait < len(w.waits) && w.waits[w.wait].From <= w.at {
		w.now.category, w.now.wait = Waiting, w.waits[w.wait].Class.String()
		return
	}
	w.now.category, w.now.wait = w.ofState()
}

func top(stack []named) named {
	if len(stack) == 0 {
		return named{}
	}
	return stack[len(stack)-1]
}

// ofState is the category by the state. Time in a call of which no wait is known is a transfer, unless the call only
// starts one.
func (w *walker) ofState() (Category, string) {
	inCall := w.now.call != named{}
	switch {
	case w.derived && inCall:
		return w.inCall(), ""
	case w.derived:
		return Computing, ""
	case !w.covered:
		return Absent, ""
	}
	switch w.mean {
	case extrae.Useful:
		return Computing, ""
	case extrae.Idle:
		return Waiting, idle
	case extrae.Ready:
		return Waiting, noCPU
	case extrae.Waiting:
		if inCall {
			return w.inCall(), ""
		}
		return Waiting, unclassified
	case extrae.Communicating:
		if inCall {
			return w.inCall(), ""
		}
		return Transfer, ""
	case extrae.IO:
		return IO, ""
	case extrae.Absent:
		return Absent, ""
	}
	return Overhead, ""
}

// inCall is the category of the time in a call that does not wait.
func (w *walker) inCall() Category {
	if w.kinds[w.now.call.typ] == local || w.starts(w.now.call) {
		return Overhead
	}
	return Transfer
}

// starts reports whether a call only starts an operation.
func (w *walker) starts(n named) bool {
	starts, ok := w.starters[n]
	if !ok {
		if w.starters == nil {
			w.starters = map[named]bool{}
		}
		starts = extrae.StartsOnly(w.t.Labels.ValueName(n.typ, n.value))
		w.starters[n] = starts
	}
	return starts
}

func (w *walker) spend(time int64) {
	w.spent[w.phase][w.now.category] += time
	w.sums[w.now] += time
}

func (w *walker) nextState(s *prv.States) int64 {
	next := never
	if w.covered && s.End[w.state] != prv.NoEnd {
		next = s.End[w.state]
	}
	k := w.state
	if w.state < s.Len() && s.Begin[w.state] <= w.at {
		k++
	}
	if k < s.Len() {
		next = min(next, s.Begin[k])
	}
	return next
}

// nextEvent is the time of the next event that plays a part; others on the way are skipped.
func (w *walker) nextEvent(e *prv.Events) int64 {
	for ; w.row < e.Len(); w.row++ {
		if w.kinds[e.Type[w.row]] != other {
			return e.Time[w.row]
		}
	}
	return never
}

func (w *walker) nextWait() int64 {
	if w.wait >= len(w.waits) {
		return never
	}
	if own := &w.waits[w.wait]; own.From > w.at {
		return own.From
	}
	return w.waits[w.wait].To
}
