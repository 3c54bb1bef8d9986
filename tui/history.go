package tui

// history is the undo and redo of one window: its setups as they were before
// each change. It is unlimited; a setup is a small value that shares its lists
// with its neighbours.
type history struct {
	past, future []moment
	joined       string // kind of the last change, when further ones of that kind belong to it
}

// moment is a setup as it was before a change. Windows that changed together have
// moments with the same step, and go back together.
type moment struct {
	setup
	step int
}

// record notes the setup that a change is about to replace. Changes of one kind
// in a row count as one when kind is not "": a row of pans is one thing to undo.
func (h *history) record(before setup, kind string, step int) {
	h.future = nil
	if kind != "" && kind == h.joined && len(h.past) > 0 {
		return
	}
	h.joined = kind
	h.past = append(h.past, moment{before, step})
}

// undo returns the setup before the last change, and keeps now for redo.
func (h *history) undo(now setup) (m moment, ok bool) {
	h.joined = ""
	return swap(&h.past, &h.future, now)
}

// redo is the inverse of undo.
func (h *history) redo(now setup) (m moment, ok bool) {
	h.joined = ""
	return swap(&h.future, &h.past, now)
}

func swap(from, to *[]moment, now setup) (m moment, ok bool) {
	last := len(*from) - 1
	if last < 0 {
		return moment{}, false
	}
	m = (*from)[last]
	*from = (*from)[:last]
	*to = append(*to, moment{now, m.step})
	return m, true
}

// step returns the step of the last moment of a list; 0 when it is empty.
func step(list []moment) int {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].step
}
