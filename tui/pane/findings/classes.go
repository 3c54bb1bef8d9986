package findings

import (
	"cmp"
	"context"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/breakdown"
	"pview/insight/diagnose"
	rendered "pview/render/document"
	"pview/render/timeline"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// The class table: the contribution of each region of code to the run, sorted by any column, with its longest
// executions as evidence.

// classes is the class table of the pane.
type classes struct {
	*document.View
	of   *timeline.Trace
	from *diagnose.Result  // its source
	list []breakdown.Class // sorted
	err  error
	sort int // column
	job  pane.Job
}

// byTime is the initial sort column.
const byTime = 1

// sync starts building the table of a diagnosis if it is missing.
func (k *classes) sync(t *timeline.Trace, r *diagnose.Result) tea.Cmd {
	if r == nil || k.from == r {
		return nil
	}
	k.of, k.from, k.list, k.err, k.sort = t, r, nil, nil, byTime
	k.Show(nil)
	return k.job.Start("comparing regions", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		list, err := r.Classes(ctx)
		return func() tea.Cmd {
			k.list, k.err = list, err
			k.word()
			k.Select(isRow)
			return nil
		}
	})
}

// stop ends the job; the missing results are made when they are wanted again.
func (k *classes) stop() bool {
	if !k.job.Stop() {
		return false
	}
	k.from = nil
	return true
}

func (k *classes) forget(t *timeline.Trace) {
	if k.of == t {
		k.stop()
		k.of, k.from, k.list = nil, nil, nil
		k.Show(nil)
	}
}

// verified notes that a new diagnosis with the same regions has replaced another.
func (k *classes) verified(old, now *diagnose.Result) {
	if k.from == old {
		k.from = now
	}
}

// word makes the document.
func (k *classes) word() {
	if k.err == nil {
		k.Show(breakdown.ClassDocument(k.list, k.from.Level, k.of.Data.Unit, 0))
	}
}

// sortBy sorts by the next or previous column.
func (k *classes) sortBy(by int) {
	n := len(breakdown.ClassColumns)
	k.sort = (k.sort + by + n) % n
	of := breakdown.ClassColumns[k.sort].Of
	slices.SortStableFunc(k.list, func(a, b breakdown.Class) int { return descending(of(&a), of(&b)) })
	k.word()
	k.Select(isRow)
}

func isRow(p *rendered.Part) bool { return p.Row >= 0 }

// sorted describes the sort order of the table.
func (k *classes) sorted() string {
	c := &breakdown.ClassColumns[k.sort]
	return "Sorted by " + c.Title + ": " + c.Doc
}

// descending compares numbers, with non-numbers last.
func descending(a, b float64) int {
	if math.IsNaN(a) || math.IsNaN(b) {
		return -cmp.Compare(boolAs(!math.IsNaN(a)), boolAs(!math.IsNaN(b)))
	}
	return cmp.Compare(b, a)
}

func boolAs(b bool) int {
	if b {
		return 1
	}
	return 0
}
