package findings

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Which traces are diagnosed, and when: first the findings, then, in the background, the simulation of their repairs.
// Until that has ended their costs and their order are provisional.

// diagnoses are those of the open traces.
type diagnoses struct {
	sc    *pane.Scene
	known map[*timeline.Trace]outcome
	job   *job // nil: none is under way
}

// outcome is what became of the diagnosis of a trace.
type outcome struct {
	result   *diagnose.Result
	err      error
	revision int    // of the trace then
	verified bool   // or need not be
	unit     string // of times, in the sentences
}

// job is a diagnosis under way.
type job struct {
	gen      int
	of       *timeline.Trace
	revision int
	verifies bool // what is known already
	unit     string
	cancel   context.CancelFunc
}

// doneMsg is the end of a job.
type doneMsg struct {
	gen    int
	result *diagnose.Result
	err    error
}

func (j *job) progress() string {
	if j.verifies {
		return "simulating repairs"
	}
	return "diagnosing"
}

// of is the diagnosis of a trace as it is now: threads and messages of an earlier revision may be others.
func (d *diagnoses) of(t *timeline.Trace) outcome {
	if o := d.known[t]; o.revision == t.Revision {
		return o
	}
	return outcome{}
}

// cancel stops the diagnosis. What was not verified stays as it is.
func (d *diagnoses) cancel() bool {
	j := d.job
	if j == nil {
		return false
	}
	j.cancel()
	o := outcome{err: context.Canceled, revision: j.revision}
	if j.verifies {
		o = d.known[j.of]
		o.verified, o.unit = true, j.unit
	}
	d.known[j.of], d.job = o, nil
	return true
}

// forget forgets a trace.
func (d *diagnoses) forget(t *timeline.Trace) {
	if d.job != nil && d.job.of == t {
		d.job.cancel()
		d.job = nil
	}
	delete(d.known, t)
}

// take notes what a job has found. It returns the result that was verified and the verified one, nil for others.
func (d *diagnoses) take(msg doneMsg) (old, now *diagnose.Result) {
	j := d.job
	if j == nil || j.gen != msg.gen {
		return nil, nil
	}
	if j.verifies {
		old, now = d.known[j.of].result, msg.result
	}
	d.known[j.of] = outcome{result: msg.result, err: msg.err, revision: j.revision, unit: j.unit,
		verified: j.verifies || msg.err != nil || recordsOf(j.of) > mostVerified}
	d.job = nil
	return old, now
}

// again lets a failed or stopped diagnosis be repeated.
func (d *diagnoses) again(t *timeline.Trace) {
	if d.known[t].err != nil {
		delete(d.known, t)
	}
}

// mostRecords is the number of events and messages up to which a trace is diagnosed for the first screen, without being
// asked. A diagnosis takes some 110 bytes of memory for each.
const mostRecords = 5_000_000

// mostVerified is the number of events and messages up to which the repairs are simulated without being asked, after
// the findings are shown.
const mostVerified = 2_000_000

func recordsOf(t *timeline.Trace) (n int) {
	n = t.Data.Comms.Len()
	for i := range t.Data.Threads {
		n += t.Data.Threads[i].Events.Len()
	}
	return n
}

// wanted reports whether a trace is to be diagnosed: the pane shows it, or the first screen, which has said already
// what is known at once.
func (d *diagnoses) wanted(t *timeline.Trace, open bool) bool {
	if open {
		return true
	}
	if !d.sc.Headline || t.Derived || t.Summary == nil || t.Summarised != t.Revision {
		return false
	}
	return recordsOf(t) <= mostRecords
}

// sync starts the diagnosis of the trace in focus if it is missing.
func (d *diagnoses) sync(open bool) tea.Cmd {
	t := d.sc.View.Trace
	o, ok := d.known[t]
	known := ok && o.revision == t.Revision
	unit := quantity.TimeUnit()
	worded := o.result == nil || o.unit == unit
	if t.Until != 0 || known && o.verified && worded || !d.wanted(t, open) {
		return nil
	}
	if j := d.job; j != nil {
		if j.of == t && j.revision == t.Revision && j.unit == unit {
			return nil
		}
		j.cancel()
	}
	return d.start(t, known)
}

// start diagnoses a trace, or simulates the repairs of what it has found when that is what is missing: the verification
// goes on from the diagnosis, which regions and stages may be at work on. Only sentences in another unit are made by a
// new one.
func (d *diagnoses) start(t *timeline.Trace, verify bool) tea.Cmd {
	ctx, cancel := context.WithCancel(d.sc.Context)
	j := &job{gen: d.sc.NextGen(), of: t, revision: t.Revision, verifies: verify, unit: quantity.TimeUnit(),
		cancel: cancel}
	d.job = j
	data, o, opt := t.Data, d.known[t], diagnose.Options{}
	if verify && recordsOf(t) <= mostVerified {
		opt.Verify = diagnose.Verified
	}
	work := func() (*diagnose.Result, error) { return diagnose.Analyze(ctx, data, opt) }
	if verify && o.unit == j.unit && opt.Verify > 0 && o.result != nil {
		work = func() (*diagnose.Result, error) { return o.result.Verify(ctx, data, opt.Verify) }
	}
	return func() tea.Msg {
		defer cancel()
		r, err := work()
		if ctx.Err() != nil {
			return nil // cancelled
		}
		return doneMsg{j.gen, r, err}
	}
}
