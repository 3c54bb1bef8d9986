package timeline

// History is the undo and redo of one window: its setups before each change. It is unlimited; a setup is a small value
// that shares its lists with its neighbours.
type History struct {
	Past, Future []Moment
	Joined       string // kind of the last change, if further ones of that kind join it
}

// Moment is a setup before a change. Windows that changed together have moments with the same step, and are undone
// together.
type Moment struct {
	Setup
	step int
}

// Record notes the setup that a change is about to replace. Consecutive changes of one kind count as one unless kind is
// "": a wheel movement or a drag is one undo step.
func (h *History) Record(before Setup, kind string, step int) {
	h.Future = nil
	if kind != "" && kind == h.Joined && len(h.Past) > 0 {
		return
	}
	h.Joined = kind
	h.Past = append(h.Past, Moment{before, step})
}

// Undo returns the setup before the last change, and keeps now for redo.
func (h *History) Undo(now Setup) (m Moment, ok bool) {
	h.Joined = ""
	return swap(&h.Past, &h.Future, now)
}

// Redo reverses the last Undo.
func (h *History) Redo(now Setup) (m Moment, ok bool) {
	h.Joined = ""
	return swap(&h.Future, &h.Past, now)
}

func swap(from, to *[]Moment, now Setup) (m Moment, ok bool) {
	last := len(*from) - 1
	if last < 0 {
		return Moment{}, false
	}
	m = (*from)[last]
	*from = (*from)[:last]
	*to = append(*to, Moment{now, m.step})
	return m, true
}

// Step returns the step of the last moment of a list; 0 if it is empty.
func Step(list []Moment) int {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].step
}
