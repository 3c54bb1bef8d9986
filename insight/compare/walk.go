package compare

// One thread from the begin of the run to its end: its states, calls, functions, waits and phases are sequences of
// changes that are merged, and the time between two changes belongs to one moment.

import (
	"context"
	"math"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
)

// why is the class of a wait, or one that states alone tell; notWaiting for none.
type why uint8

const (
	notWaiting why = iota
	idle
	noCPU
	unclassified
	classified // and following: the classes of package waits
)

// String returns the name.
func (w why) String() string {
	if w >= classified {
		return waits.Class(w - classified).String()
	}
	return [...]string{notWaited, "idle", "no CPU", "unclassified"}[w]
}

// maxDepth bounds the nesting of calls and functions, against traces in which they never end.
const maxDepth = 1 << 10

const never = int64(math.MaxInt64)

// id is a call or function of a walker, a row of its names; 0 is none.
type id uint32

// moment is the activity of a thread at a time.
type moment struct {
	use      uint32 // a category and why, in one
	call, fn id
}

func momentOf(c Category, y why, call, fn id) moment {
	return moment{uint32(c)<<8 | uint32(y), call, fn}
}

func (m moment) category() Category { return Category(m.use >> 8) }
func (m moment) why() why           { return why(m.use) }

// walker goes through one thread.
type walker struct {
	*reader
	ctx     context.Context
	number  int
	th      *prv.Thread
	rows    []uint32 // of its events, those that play a part
	waits   []waits.Wait
	spent   [][NumCategories]int64
	sums    map[moment]int64
	derived bool

	at               int64
	row, state, wait int // the next of rows, state, wait
	phase            int
	names            []named
	ids              map[named]id
	recent           [64]struct { // the last ids that were looked up, by a hash
		named
		id
	}
	starters   []int8  // by id: calls that only start an operation are 1, others -1; 0: not known yet
	entered    []int64 // by id: how often it was opened
	calls, fns []id    // open ones
	now        moment
	mean       extrae.Meaning
	covered    bool // by a state
}

func newWalker(ctx context.Context, rd *reader, thread int, found *waits.Result) *walker {
	number := rd.threads[thread]
	return &walker{reader: rd, ctx: ctx, number: thread, th: &rd.t.Threads[number], rows: rd.tiling.Rows[thread],
		waits: found.Of(number),
		spent: make([][NumCategories]int64, len(rd.tiling.Phases)), sums: map[moment]int64{}, names: make([]named, 1),
		ids: map[named]id{}}
}

// idOf is the id of a call or function.
func (w *walker) idOf(n named) id {
	r := &w.recent[(n.typ*0x9e3779b1^uint32(n.value)*0x85ebca6b)>>26]
	if r.id != 0 && r.named == n {
		return r.id
	}
	i, ok := w.ids[n]
	if !ok {
		i = id(len(w.names))
		w.names, w.ids[n] = append(w.names, n), i
		w.starters = append(w.starters, 0)
		w.entered = append(w.entered, 0)
	}
	r.named, r.id = n, i
	return i
}

func (w *walker) walk() error {
	th := w.th
	w.derived = th.States.Len() == 0 && th.Events.Len() > 0
	end := w.t.Duration
	w.at = w.tiling.Phases[0].Begin
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
	for ; w.row < len(w.rows) && e.Time[w.rows[w.row]] <= w.at; w.row++ {
		k := w.rows[w.row]
		w.event(named{e.Type[k], e.Value[k]})
	}
	s := &th.States
	for w.state+1 < s.Len() && s.Begin[w.state+1] <= w.at {
		w.state++
	}
	w.covered = w.state < s.Len() && s.Begin[w.state] <= w.at && (!s.HasEnd(w.state) || s.End[w.state] > w.at)
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
	switch kind(w.kinds.Part(n.typ)) {
	case other:
		return
	case function:
		stack = &w.fns
	}
	if n.value != 0 {
		i := w.idOf(n)
		w.entered[i-1]++
		if len(*stack) < maxDepth {
			*stack = append(*stack, i)
		}
		return
	}
	for k := len(*stack) - 1; k >= 0; k-- {
		if w.names[(*stack)[k]].typ == n.typ {
			*stack = append((*stack)[:k], (*stack)[k+1:]...)
			return
		}
	}
}

// judge tells what the thread does now.
func (w *walker) judge() {
	call := top(w.calls)
	c, y := Waiting, notWaiting
	if w.wait < len(w.waits) && w.waits[w.wait].From <= w.at {
		y = classified + why(w.waits[w.wait].Class)
	} else {
		c, y = w.ofState(call)
	}
	w.now = momentOf(c, y, call, top(w.fns))
}

func top(stack []id) id {
	if len(stack) == 0 {
		return 0
	}
	return stack[len(stack)-1]
}

// ofState is the category by the state. Time in a call of which no wait is known is a transfer, unless the call only
// starts one.
func (w *walker) ofState(call id) (Category, why) {
	inCall := call != 0
	switch {
	case w.derived && inCall:
		return w.inCall(call), notWaiting
	case w.derived:
		return Computing, notWaiting
	case !w.covered:
		return Absent, notWaiting
	}
	switch w.mean {
	case extrae.Useful:
		return Computing, notWaiting
	case extrae.Idle:
		return Waiting, idle
	case extrae.Ready:
		return Waiting, noCPU
	case extrae.Waiting:
		if inCall {
			return w.inCall(call), notWaiting
		}
		return Waiting, unclassified
	case extrae.Communicating:
		if inCall {
			return w.inCall(call), notWaiting
		}
		return Transfer, notWaiting
	case extrae.IO:
		return IO, notWaiting
	case extrae.Absent:
		return Absent, notWaiting
	}
	return Overhead, notWaiting
}

// inCall is the category of the time in a call that does not wait.
func (w *walker) inCall(call id) Category {
	if kind(w.kinds.Part(w.names[call].typ)) == local || w.starts(call) {
		return Overhead
	}
	return Transfer
}

// starts reports whether a call only starts an operation.
func (w *walker) starts(call id) bool {
	s := &w.starters[call-1]
	if *s == 0 {
		*s = -1
		if n := w.names[call]; extrae.StartsOnly(w.t.Labels.ValueName(n.typ, n.value)) {
			*s = 1
		}
	}
	return *s > 0
}

func (w *walker) spend(time int64) {
	w.spent[w.phase][w.now.category()] += time
	w.sums[w.now] += time
}

func (w *walker) nextState(s *prv.States) int64 {
	next := never
	if w.covered && s.HasEnd(w.state) {
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

// nextEvent is the time of the next event that plays a part.
func (w *walker) nextEvent(e *prv.Events) int64 {
	if w.row == len(w.rows) {
		return never
	}
	return e.Time[w.rows[w.row]]
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
