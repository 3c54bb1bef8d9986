package scenario

import (
	"errors"
	"fmt"
	"slices"

	"pview/prv"
	"pview/sim"
)

// History is the list of runs, oldest first. One of them is shown; one may be marked for comparison with the others.
// All runs keep their figures; the latest few also keep their trace.
type History struct {
	runs          []*Run
	shown, marked *Run
}

// Run is a finished run.
type Run struct {
	Number int    // from 1, in order; never reused
	Name   string // given by the user
	Setup
	Changes     []string    // of the scenario, from its base
	Result      *sim.Result // without the trace
	Utilisation float64     // of the result
	Trace       *prv.Trace  // nil if dropped to save memory: the run is repeated when it is needed
}

// Title describes a run: its name, or its machine and the changes.
func (r *Run) Title() string {
	if r.Name != "" {
		return r.Name
	}
	return r.title(r.Changes)
}

const (
	mostRuns = 200 // in the history
	// keptTraces bounds the predicted traces in memory, so that undo shows them immediately; fewer for large programs,
	// so that their total is at most keptRecords records of the program.
	keptTraces  = 4
	keptRecords = 10_000_000
)

// Runs returns the runs, the oldest first.
func (h *History) Runs() []*Run { return h.runs }

// Shown returns the run on display; nil before the first.
func (h *History) Shown() *Run { return h.shown }

// Marked returns the run that others are compared with; nil for none.
func (h *History) Marked() *Run { return h.marked }

// Find returns the run of a scenario; nil if none.
func (h *History) Find(s Scenario) *Run {
	for _, r := range h.runs {
		if r.Scenario.Equal(s) {
			return r
		}
	}
	return nil
}

// Record adds a finished run of the program, or updates the run of the same scenario, and returns it. It keeps the
// result without its trace.
func (h *History) Record(p *sim.Program, s Setup, result *sim.Result, name BlockName) *Run {
	r := h.Find(s.Scenario)
	if r == nil {
		r = &Run{Number: 1, Setup: s, Changes: Changes(s.Base, s.Scenario, name)}
		if n := len(h.runs); n > 0 {
			r.Number = h.runs[n-1].Number + 1
		}
		h.runs = append(h.runs, r)
		h.dropOldest()
	}
	r.Trace, r.Utilisation = result.Trace, result.Utilisation(len(p.Threads))
	figures := *result
	figures.Trace = nil
	r.Result = &figures
	return r
}

// dropOldest makes room: it drops the oldest run that is unnamed, not shown and not marked.
func (h *History) dropOldest() {
	if len(h.runs) <= mostRuns {
		return
	}
	last := len(h.runs) - 1
	if i := slices.IndexFunc(h.runs[:last], func(r *Run) bool {
		return r.Name == "" && r != h.shown && r != h.marked
	}); i >= 0 {
		h.runs = slices.Delete(h.runs, i, i+1)
	}
}

// Show puts a run on display, and drops the traces of older runs.
func (h *History) Show(p *sim.Program, r *Run) {
	h.shown = r
	kept, most := 0, max(min(keptTraces, int(keptRecords/max(p.Records(), 1))), 1)
	for _, o := range slices.Backward(h.runs) {
		if o == r || o.Trace == nil {
			continue
		}
		if kept++; kept >= most { // including r's
			o.Trace = nil
		}
	}
}

// Mark makes a run the reference for comparisons; a marked one is unmarked.
func (h *History) Mark(r *Run) (marked bool) {
	if h.marked == r {
		h.marked = nil
		return false
	}
	h.marked = r
	return true
}

// Drop removes a run from the history; the one on display stays.
func (h *History) Drop(r *Run) error {
	if r == h.shown {
		return errors.New("this is the run that is shown")
	}
	if r == h.marked {
		h.marked = nil
	}
	h.runs = slices.DeleteFunc(h.runs, func(o *Run) bool { return o == r })
	return nil
}

// DropTraces drops all traces: their program has changed.
func (h *History) DropTraces() {
	for _, r := range h.runs {
		r.Trace = nil
	}
}

// SavedRun is the stored form of a run.
type SavedRun struct {
	Number      int         `json:"number"`
	Name        string      `json:"name,omitempty"`
	Scenario    Saved       `json:"scenario"`
	Base        Saved       `json:"loaded"`
	BaseName    string      `json:"loaded_as"`
	Result      *sim.Result `json:"result"`
	Utilisation float64     `json:"efficiency"` // the key in early sessions
}

// Save returns the stored runs, and the number of the marked one; 0 for none.
func (h *History) Save() (runs []SavedRun, marked int) {
	for _, r := range h.runs {
		runs = append(runs, SavedRun{r.Number, r.Name, r.Scenario.Save(), r.Base.Save(), r.BaseName, r.Result,
			r.Utilisation})
	}
	if h.marked != nil {
		marked = h.marked.Number
	}
	return runs, marked
}

// Restore returns the inverse of Save. On an error in the list the history is unchanged.
func (h *History) Restore(list []SavedRun, marked int, name BlockName) error {
	next := History{}
	for _, s := range list {
		r := &Run{Number: s.Number, Name: s.Name, Result: s.Result, Utilisation: s.Utilisation}
		var err error
		r.BaseName = s.BaseName
		if r.Scenario, err = s.Scenario.Scenario(); err != nil {
			return fmt.Errorf("run %d: %w", s.Number, err)
		}
		if r.Base, err = s.Base.Scenario(); err != nil {
			return fmt.Errorf("run %d: %w", s.Number, err)
		}
		if r.Result == nil {
			return fmt.Errorf("run %d has no result", s.Number)
		}
		if n := len(next.runs); n > 0 && s.Number <= next.runs[n-1].Number {
			return fmt.Errorf("run %d follows run %d", s.Number, next.runs[n-1].Number)
		}
		r.Changes = Changes(r.Base, r.Scenario, name)
		next.runs = append(next.runs, r)
		if s.Number == marked {
			next.marked = r
		}
	}
	*h = next
	return nil
}
