package compare

// A walk along one thread: its account, calls, functions, waits and phases are sequences of changes, which are merged;
// nothing changes between two of these.

import (
	"math"

	"pview/insight/account"
	"pview/insight/waits"
	"pview/prv"
)

// why is the class of a wait; notWaiting for none.
type why uint8

const (
	notWaiting why = iota
	unclassified
	classified // and following: the classes of package waits
)

// String returns the name.
func (w why) String() string {
	if w >= classified {
		return waits.Class(w - classified).String()
	}
	return [...]string{notWaited, "unclassified"}[w]
}

// maxDepth bounds the nesting of calls and functions, against traces in which they never end.
const maxDepth = 1 << 10

const never = int64(math.MaxInt64)

// id is a call or function of a walker, a row of its names; 0 is none.
type id uint32

// moment is the activity of a thread at a time.
type moment struct {
	category Category
	why      why
	call, fn id
}

// walker goes through one thread.
type walker struct {
	*reader
	number  int
	th      *prv.Thread
	rows    []uint32 // of its events that matter
	waits   []waits.Wait
	spent   []account.Sums // by phase
	moments map[moment]int64
	waiting int64

	row, wait int // the next of rows and waits
	phase     int
	names     []named
	ids       map[named]id
	recent    [64]struct { // recently looked up ids, by hash
		named
		id
	}
	entered    []int64 // by id: how often it was opened
	calls, fns []id    // open ones
}

func newWalker(rd *reader, number int, thread int32, found *waits.Result) *walker {
	return &walker{reader: rd, number: number, th: &rd.t.Threads[thread], rows: rd.tiling.Rows[number],
		waits: found.Of(thread), spent: make([]account.Sums, len(rd.tiling.Phases)), moments: map[moment]int64{},
		names: make([]named, 1), ids: map[named]id{}}
}

// idOf returns the id of a call or function.
func (w *walker) idOf(n named) id {
	r := &w.recent[(n.typ*0x9e3779b1^uint32(n.value)*0x85ebca6b)>>26]
	if r.id != 0 && r.named == n {
		return r.id
	}
	i, ok := w.ids[n]
	if !ok {
		i = id(len(w.names))
		w.names, w.ids[n] = append(w.names, n), i
		w.entered = append(w.entered, 0)
	}
	r.named, r.id = n, i
	return i
}

// take takes a stretch of the account.
func (w *walker) take(from, to int64, kind account.Kind) {
	for from < to {
		w.change(from)
		next := min(to, w.nextEvent(), w.nextWait(from))
		if end := w.tiling.Phases[w.phase].End; end > from {
			next = min(next, end)
		}
		m := moment{category: Category(kind), call: top(w.calls), fn: top(w.fns)}
		if w.wait < len(w.waits) && w.waits[w.wait].From <= from {
			m.why = classified + why(w.waits[w.wait].Class)
		} else if m.category == waiting {
			m.why = unclassified
		}
		w.spent[w.phase][kind] += next - from
		w.moments[m] += next - from
		from = next
	}
}

// change takes all changes up to a time.
func (w *walker) change(at int64) {
	for w.phase+1 < len(w.spent) && w.tiling.Phases[w.phase].End <= at {
		w.phase++
	}
	e := &w.th.Events
	for ; w.row < len(w.rows) && e.Time[w.rows[w.row]] <= at; w.row++ {
		k := w.rows[w.row]
		w.event(named{e.Type[k], e.Value.At(int(k))})
	}
	for w.wait < len(w.waits) && (w.waits[w.wait].To <= at || !w.waits[w.wait].Class.Info().Waiting) {
		w.wait++
	}
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

func top(stack []id) id {
	if len(stack) == 0 {
		return 0
	}
	return stack[len(stack)-1]
}

// nextEvent returns the time of the next event that matters.
func (w *walker) nextEvent() int64 {
	if w.row == len(w.rows) {
		return never
	}
	return w.th.Events.Time[w.rows[w.row]]
}

// nextWait returns the time at which the next wait begins, or the current one ends.
func (w *walker) nextWait(at int64) int64 {
	if w.wait >= len(w.waits) {
		return never
	}
	if own := &w.waits[w.wait]; own.From > at {
		return own.From
	}
	return w.waits[w.wait].To
}
